import { expect, test } from 'vitest'
import type { Transport } from '../../contracts/client/transport.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { createStopSignal } from '../../contracts/harness/run/stop-signal.ts'
import { readWriteCall } from '../../contracts/harness/safety/parse-write-call.ts'
import { createTransportGuard } from '../../contracts/harness/safety/stop-budget-and-ledger-guard.ts'
import { createWriteLedger } from '../../contracts/harness/safety/write-ledger.ts'
import type { OperationName } from '../../contracts/operations.ts'

const BASE = 'https://api.example/v1'

const profileWith = (more: Partial<Profile> = {}): Profile => ({
  file: 'ours.yaml',
  name: 'ours',
  target: { baseUrl: BASE, environment: 'sandbox' },
  organization: { kit: '.' },
  ...more,
})

const post = (path: string, endpoint?: OperationName, json: object = {}) => ({
  method: 'POST',
  url: `${BASE}${path}`,
  headers: {},
  body: Buffer.from(JSON.stringify(json)),
  ...(endpoint && { endpoint }),
})

// biome-ignore format: a table reads by its columns
const PLACES: [string, OperationName, string, string, object][] = [
  ['templated',           'initiate', '/accounts/{processingAccountId}/payments', '/accounts/our%20account/payments', {}],
  ['queried',             'initiate', '/pay?version=2',                           '/pay?version=2',                   {}],
  ['non-ASCII',           'initiate', '/płatności',                               '/płatności',                       {}],
  ['templated, of an id', 'cancel',   '/payments/{transactionId}/cancel',         '/payments/tx%2F1/cancel',          { transactionId: 'tx/1' }],
  ['non-ASCII, of an id', 'cancel',   '/płatności/{transactionId}',               '/płatności/tx-1',                  { transactionId: 'tx-1' }],
  ['queried, of an id',   'cancel',   '/cancel?id={transactionId}',               '/cancel?id=tx-1',                  { transactionId: 'tx-1' }],
]

test.each(PLACES)('7: a write is recognised at a path that is %s', (_what, operation, line, path, members) => {
  const profile = profileWith({ paths: { [operation]: line } })
  expect(readWriteCall(profile, post(path, operation))).toMatchObject({ operation, ...members })
})

test.each(['', '/v1'])('7: a write without the name of its endpoint is recognised by its path below "%s"', base => {
  const profile = profileWith({
    target: { baseUrl: `https://api.example${base}/`, environment: 'sandbox' },
    paths: { cancel: '/payments/{transactionId}/cancel' },
  })
  const sent = { ...post(''), url: `https://api.example${base}/payments/tx-1/cancel` }
  expect(readWriteCall(profile, sent)).toEqual({ operation: 'cancel', transactionId: 'tx-1' })
  expect(readWriteCall(profile, { ...sent, method: 'GET' })).toBeUndefined()
  expect(readWriteCall(profile, { ...sent, url: `https://api.example${base}/payments/search` })).toBeUndefined()
})

test('7: budgets and ledger hold for a templated path', async () => {
  const profile = profileWith({
    paths: { initiate: '/accounts/{processingAccountId}/payments' },
    budgets: { payments: 1 },
  })
  const [stop, ledger] = [createStopSignal(), createWriteLedger()]
  const accepting: Transport = {
    exchange: async request => ({
      request,
      response: { status: 200, headers: {}, body: Buffer.from('{}') },
      durationMs: 1,
    }),
    session: async () => undefined,
    close: () => undefined,
  }
  const guard = createTransportGuard(profile, { stop, ledger, paced: false })
  const { exchange } = guard.wrap(accepting, 'us')
  const sent = await Promise.allSettled([1, 2, 3].map(() => exchange(post('/accounts/ours/payments', 'initiate'))))
  expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(stop.cause).toEqual({ reason: 'budgets.payments of ours.yaml is spent: 1', safety: true })
  expect(ledger.lines).toMatchObject([{ operation: 'initiate' }, { of: 1, status: 200 }])
})
