import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../support/api-response-checks.ts'
import { openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox()
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const keySet = (method = 'GET') => ({
  method,
  target: '/.well-known/jwks.json',
  headers: [['Host', 'x']] as [string, string][],
})

test('5.4: the key set may be cached for a day, and no other response', async () => {
  expect((await sandbox.send(keySet())).header('cache-control')).toBe('public, max-age=86400')
  expect((await sandbox.send(keySet('HEAD'), { head: true })).header('cache-control')).toBe('public, max-age=86400')
  const refused = await sandbox.send(await sandbox.sign({ target: '/payments/nobody/status' }))
  await expectRefusal(refused, sandbox.keySet, '404/4001')
  expect(refused.header('cache-control')).toBe('no-store')
})

test('2.7: the empty response of mock/set has Content-Length: 0', async () => {
  const body = {
    processingAccountId: 'demo-merchant-account-1',
    key: { type: 'PAYER_ID', value: 'p' },
    type: 'MOCK',
    scenario: 'OK',
  }
  const answer = await sandbox.send(await sandbox.sign({ target: '/mock/set', body }))
  expect(answer.status).toBe(200)
  expect([answer.header('content-length'), answer.header('transfer-encoding'), answer.body.length]).toEqual([
    '0',
    undefined,
    0,
  ])
})
