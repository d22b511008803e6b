import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import type { DialectLines } from '../../contracts/dialect/dialect-lines.ts'
import { PROVIDER_CODES } from '../../contracts/protocol/provider-codes.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { organizationControl } from '../support/control-client.ts'
import { blikRequest, irisRequest } from '../support/payment-requests.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LINES: DialectLines = {
  naming: 'snake_case',
  mocks: {
    providerCode: '/steps/initiate/scheme_says',
    faults: {
      at: '/steps/capture/scenario',
      internal: 'BROKEN',
      error: 'DOWN',
      timeout: 'LATE',
      locked: 'BUSY',
      limited: 'SLOW',
    },
  },
}

/** Starts a simulator of the dialect, and a merchant of it. */
const startSpeaking = async (lines: DialectLines) => {
  const dialect = join(temporaryFolder(), 'dialect.yaml')
  writeFileSync(dialect, stringify(lines))
  const simulator = await startTestSimulator({ dialect })
  const now = () => simulator.controlPlane.now('demo-merchant')
  const merchant = createMerchant(simulator.credentials, { dialectLines: lines, now })
  const [processingAccountId = ''] = simulator.credentials.processingAccountIds
  /** Sets a MOCK for one reference, with these steps. */
  const mock = async (value: string, steps: object) => {
    const key = { type: 'CLIENT_TRANSACTION_ID', value }
    const json = { processingAccountId, key, type: 'MOCK', scenario: 'OK', oneTime: true, steps }
    expect((await merchant.request('mockSet', { json })).response?.status).toBe(200)
  }
  const stop = async () => {
    await merchant.close()
    await simulator.stop()
  }
  return { simulator, merchant, processingAccountId, mock, stop }
}

test.each([LINES, {}])(
  '7.5: a mock lets the provider decline with a code of its own, in the dialect %j',
  async lines => {
    const { merchant, processingAccountId, mock, stop } = await startSpeaking(lines)
    try {
      for (const { provider, code, reasonCode } of PROVIDER_CODES) {
        const request = provider === 'BLIK' ? blikRequest('123456') : irisRequest()
        await mock(code, { initiate: { providerCode: code } })
        const answer = await merchant.initiate({ ...request, processingAccountId, clientTransactionId: code } as never)
        if (!answer.ok) throw new Error(`${code} was refused`)
        const { status, statusInfo, providerDetails } = answer.body
        expect([code, status, statusInfo.reasonCode]).toEqual([code, 'DECLINED', reasonCode])
        expect(providerDetails?.providerStatusInfo?.reasonCode).toBe(code)
      }
    } finally {
      await stop()
    }
  },
)

test('7.1: a mock makes a capture meet the fault that the dialect has a word for', async () => {
  const { simulator, merchant, processingAccountId, mock, stop } = await startSpeaking(LINES)
  const control = organizationControl(simulator)
  try {
    const { at: _, ...words } = LINES.mocks?.faults ?? { at: '' }
    const statuses: Record<string, number | undefined> = {}
    for (const [fault, word] of Object.entries(words)) {
      const { code } = (await control.post('blik/codes')).body
      const request = { ...blikRequest(code, { autoCapture: false }), processingAccountId, clientTransactionId: fault }
      const begun = await merchant.initiate(request as never)
      if (!begun.ok) throw new Error(`${fault}: initiate was refused`)
      const { transactionId } = begun.body
      await control.post(`payments/${transactionId}/shopper`, { action: 'approve' })
      const finalized = await merchant.finalize({ processingAccountId, transactionId })
      if (!finalized.ok) throw new Error(`${fault}: finalize was refused`)
      const act = { processingAccountId, transactionId, clientTransactionId: fault }
      await mock(fault, { capture: { fault: word } })
      statuses[fault] = (await merchant.capture({ ...act, paymentDetails: {} } as never)).status
    }
    expect(statuses).toEqual({ internal: 500, error: 502, timeout: 504, locked: 423, limited: 429 })
  } finally {
    await stop()
  }
})
