import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

test('5.4: where a success is 204, the response has no body, and its signature verifies', async () => {
  const dialect = join(temporaryFolder(), 'bodiless.yaml')
  writeFileSync(dialect, 'name: bodiless\nsuccess: { cancel: [204] }\n')
  const merchant = merchantOf(await startScopedSimulator({ dialect }))
  const [processingAccountId = ''] = merchant.credentials.processingAccountIds
  const transactionId = await initiateIris(merchant)
  const answer = await merchant.cancel({ transactionId, processingAccountId, clientTransactionId: 'c-1' })
  expect([answer.status, answer.exchange.response?.body.length]).toEqual([204, 0])
  expect(answer.exchange.response?.headers['content-digest']).toBeUndefined()
})
