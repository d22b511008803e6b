import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import type { DialectLines } from '../../contracts/dialect/dialect-lines.ts'
import { createAddressTable } from '../../contracts/dialect/operation-path-table.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LINES: DialectLines = {
  naming: 'snake_case',
  paths: { search: 'GET /orders?ref={clientTransactionId}' },
  decisions: { 'D-46': '400' },
}

test('4: a parameter that the path of search names is no unknown field (D-46)', async () => {
  const dialect = join(temporaryFolder(), 'dialect.yaml')
  writeFileSync(dialect, stringify(LINES))
  const simulator = await startTestSimulator({ dialect })
  const merchant = createMerchant(simulator.credentials, { dialectLines: LINES })
  const [processingAccountId = ''] = simulator.credentials.processingAccountIds
  try {
    const known = await merchant.search({ processingAccountId, clientTransactionId: 'order-1' })
    expect(known.status).toBe(200)
    const unknown = await merchant.request('search', { query: { clientTransactionId: 'order-1', more: '1' } })
    expect(unknown.response?.status).toBe(400)
  } finally {
    await merchant.close()
    await simulator.stop()
  }
})

test('4: an address with fixed values in its query is found, and a line goes before the usual address of another operation', () => {
  const { find } = createAddressTable({ reports: '/files?kind=report', initiate: '/payments/charge' })
  expect(find('GET', '/files', new URLSearchParams('kind=report'))).toMatchObject({
    operation: 'reports',
    queryNames: ['kind'],
  })
  expect(find('POST', '/payments/charge')?.operation).toBe('initiate')
  const { find: findTemplate } = createAddressTable({ search: 'GET /payments/{clientTransactionId}/status' })
  expect(findTemplate('GET', '/payments/p-1/status')?.operation).toBe('search')
})
