import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { parseDialectLines } from '../../contracts/harness/profile/read-profile.ts'
import { irisPayment } from '../../contracts/suites/given/request-bodies.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROFILE = stringify({
  target: { baseUrl: 'https://pay.example/gateway/api/', environment: 'sandbox' },
  paths: { initiate: '/begin', status: '/payments/{transactionId}', keySet: '/keys' },
})

test('4: calls below the path of target.baseUrl are served, and those without it', async () => {
  const dialect = join(temporaryFolder(), 'dialect.yaml')
  writeFileSync(dialect, PROFILE)
  const simulator = await startTestSimulator({ dialect })
  const { credentials } = simulator
  const [account = ''] = credentials.processingAccountIds
  try {
    for (const path of ['', '/gateway/api']) {
      const own = { ...credentials, baseUrl: `${credentials.baseUrl}${path}` }
      const merchant = createMerchant(own, { dialectLines: parseDialectLines('ours.yaml', PROFILE) })
      const initiated = await merchant.request('initiate', { json: irisPayment({ account }) })
      expect(initiated.response?.status).toBe(200)
      const { transactionId } = JSON.parse(initiated.response?.body.toString() ?? '')
      const { response } = await merchant.request('status', { path: { transactionId } })
      expect(response?.status).toBe(200)
      expect((await merchant.request('keySet')).response?.status).toBe(200)
      await merchant.close()
    }
    const elsewhere = createMerchant({ ...credentials, baseUrl: `${credentials.baseUrl}/gateway` })
    await expect(elsewhere.request('status', { path: { transactionId: '1' } })).rejects.toThrow('/gateway/auth/token')
    await elsewhere.close()
  } finally {
    await simulator.stop()
  }
})
