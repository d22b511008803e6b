import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { organizationControl } from '../support/control-client.ts'
import { parseCsv } from '../support/parse-csv.ts'
import { blikRequest } from '../support/payment-requests.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LINES = {
  naming: 'snake_case',
  forms: { amounts: 'major-text', times: 'epoch' },
  ids: { transactionId: 'number' },
  members: { downloadReport: { clientTransactionId: '/order_ref' } },
} as const

test('4, D-75: a report is written in the names and forms of the dialect, over API and control', async () => {
  const dialect = join(temporaryFolder(), 'dialect.yaml')
  writeFileSync(dialect, stringify(LINES))
  const simulator = await startTestSimulator({ dialect })
  const control = organizationControl(simulator)
  const now = () => simulator.controlPlane.now('demo-merchant')
  const merchant = createMerchant(simulator.credentials, { dialectLines: LINES, now })
  try {
    const [processingAccountId = ''] = simulator.credentials.processingAccountIds
    const { code } = (await control.post('blik/codes')).body
    const begun = await merchant.initiate({ ...blikRequest(code), processingAccountId })
    if (!begun.ok) throw new Error('initiate was refused')
    const { transactionId } = begun.body
    const day = new Date(now()).toISOString().slice(0, 10)
    await control.post(`payments/${transactionId}/shopper`, { action: 'approve' })
    expect((await merchant.finalize({ processingAccountId, transactionId })).ok).toBe(true)
    await control.advance('P1D')

    const asked = { query: { from: day, to: day, type: 'FEE_DETAILS' }, scope: 'data:reports' as const }
    const list = JSON.parse(String((await merchant.request('reports', asked)).response?.body))
    const [{ report_id: reportId, file_size: size }] = list.files
    const query = { reportId }
    const file = await merchant.request('downloadReport', { query, scope: 'data:reports' })
    const text = String(file.response?.body)
    expect([file.response?.status, Buffer.byteLength(text)]).toEqual([200, size])
    const [row] = parseCsv(text)
    expect(Object.keys(row ?? {}).join()).toBe(
      'timestamp,transaction_id,order_ref,original_transaction_id,original_client_transaction_id,provider_id,amount,fee_rule,fee_amount,currency',
    )
    expect([row?.original_transaction_id, row?.amount, row?.fee_amount]).toEqual([transactionId, '10.00', '0.37'])
    expect(Number(row?.timestamp) * 1000).toBeGreaterThan(Date.parse(day))
    const shown = await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/reports/${reportId}`)
    expect(await shown.text()).toBe(text)
  } finally {
    await merchant.close()
    await simulator.stop()
  }
})
