import { expect, test, vi } from 'vitest'
import type { Credentials } from '../../contracts/client/credentials.ts'
import type { Exchange, WireRequest } from '../../contracts/client/http-exchange.ts'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { wrapWithPlayer } from '../../contracts/commands/add-scenario-player-to-check-context.ts'
import { cleanUp, removeRemainingResources } from '../../contracts/commands/remove-resources-left-by-run.ts'
import { createEvidence } from '../../contracts/harness/judge/scenario-evidence.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { createScenarioPlayer } from '../../contracts/harness/run/resumable-scenario-player.ts'
import { playScenario } from '../../contracts/harness/run/run-scenarios.ts'
import { createStopSignal } from '../../contracts/harness/run/stop-signal.ts'
import { findRemainingResources } from '../../contracts/harness/safety/find-remaining-resources.ts'
import { createTransportGuard } from '../../contracts/harness/safety/stop-budget-and-ledger-guard.ts'
import { createWriteLedger } from '../../contracts/harness/safety/write-ledger.ts'
import type { TestOrganization } from '../../contracts/suites/context/test-organization.ts'
import { newKeyPair } from '../support/generate-keys-and-certificates.ts'

const BASE = 'https://api.example'
const PROFILE: Profile = {
  file: 'ours.yaml',
  name: 'ours',
  target: { baseUrl: BASE, environment: 'sandbox' },
  organization: { kit: '.' },
  errors: { declined: { at: '/status', words: ['DECLINED'] } },
}
const CREDENTIALS: Credentials = {
  baseUrl: BASE,
  organizationId: 'us',
  clientId: 'us',
  processingAccountIds: ['account'],
  identity: { certificate: '', privateKey: '' },
  signingKeys: [newKeyPair().signingKey('key')],
}

type Answer = (request: WireRequest) => Pick<Exchange, 'response' | 'transportError'>

const answered = (status: number, json: object = {}) => ({
  response: { status, headers: {}, body: Buffer.from(JSON.stringify(json)) },
})
const givingTokens =
  (status: number, json?: object): Answer =>
  ({ endpoint }) =>
    endpoint === 'token' ? answered(200, { access_token: 'token', expires_in: 7200 }) : answered(status, json)

/** A run with authorized payments, stopped, against a service that answers so. */
const stoppedRun = (answer: Answer, payments: readonly string[] = ['tx-1', 'tx-2', 'tx-3'], lines = {}) => {
  const [stop, ledger, player] = [createStopSignal(), createWriteLedger(), createScenarioPlayer()]
  for (const transactionId of payments) {
    ledger.record('us', { operation: 'initiate', autoCapture: false })({ status: 200, transactionId })
    ledger.record('us', { operation: 'finalize', transactionId })({ status: 200 })
  }
  const calls: string[] = []
  const network = {
    exchange: async (request: WireRequest) => {
      calls.push(request.endpoint ?? request.url)
      return { request, ...answer(request), durationMs: 1 }
    },
    session: async () => undefined,
    close: () => undefined,
  }
  const guard = createTransportGuard(PROFILE, { stop, ledger, paced: false })
  const transport = wrapWithPlayer(PROFILE, player, { transport: guard.wrap }).transport?.(network, 'us') ?? network
  const merchant = createMerchant(CREDENTIALS, { dialectLines: {}, transport })
  stop.stop({ reason: 'stopped by SIGINT' })
  return {
    context: {
      profile: { ...PROFILE, ...lines },
      organizations: [{ merchant, account: 'account' } as TestOrganization],
    },
    ledger,
    merchant,
    calls,
  }
}

test('7: what a stopped run left authorized is canceled, while its scenarios make no further call', async () => {
  const { context, ledger, merchant, calls } = stoppedRun(givingTokens(200))
  await expect(merchant.request('token')).rejects.toThrow('stopped by SIGINT')
  expect(await removeRemainingResources(context, ledger)).toEqual({
    canceled: ['tx-1', 'tx-2', 'tx-3'],
    taken: [],
    stays: [],
  })
  await expect(merchant.request('token')).rejects.toThrow('stopped by SIGINT')
  expect(calls).toEqual(['token', 'cancel', 'token', 'cancel', 'token', 'cancel'])
  expect(ledger.lines.at(-1)).toMatchObject({ status: 200 })
})

const silent: Answer = () => ({ transportError: { code: 'TIMEOUT', message: 'no complete response came in time' } })

// biome-ignore format: a table reads by its columns
test.each<[string, Answer, string[], string[]]>([
  ['does not respond: one call is tried',     silent,                    ['token'],                    ['token answered nothing', 'cancel was not tried']],
  ['gives no token',                          () => answered(401),       ['token', 'token'],           ['token answered 401', 'token answered 401']],
  ['gives none in its answer',                () => answered(200),       ['token', 'token'],           ['token answered 200', 'token answered 200']],
  ['does not cancel',                         givingTokens(503),         ['token', 'cancel', 'token', 'cancel'], ['cancel answered 503', 'cancel answered 503']],
  ['declines to cancel',                      givingTokens(200, { status: 'DECLINED' }), ['token', 'cancel', 'token', 'cancel'], ['cancel was declined', 'cancel was declined']],
  ['says that they are past cancelling',      givingTokens(422),         ['token', 'cancel', 'token', 'cancel'], []],
])('7: clean-up of a service that %s', async (_what, answer, made, why) => {
  const { context, ledger, calls } = stoppedRun(answer, ['tx-1', 'tx-2'])
  const { canceled, stays } = await removeRemainingResources(context, ledger)
  expect({ canceled, stays }).toEqual({ canceled: [], stays: why.map((text, at) => `payment tx-${at + 1}: ${text}`) })
  expect(calls).toEqual(made)
})

test.each([['finalize'], ['charge']] as const)(
  '7: clean-up gives no payment up whose %s may yet be carried out',
  async operation => {
    const { context, ledger } = stoppedRun(givingTokens(422), [])
    ledger.record('us', { operation: 'initiate', autoCapture: false })({ status: 200, transactionId: 'tx' })
    const what = operation === 'charge' ? { autoCapture: false } : { transactionId: 'tx' }
    ledger.record('us', { operation, ...what })({ status: 504, ...(operation === 'charge' && { transactionId: 'tx' }) })
    expect((await removeRemainingResources(context, ledger)).stays).toEqual([
      'payment tx: cancel answered 422, and what authorizes it got no response and may be carried out yet',
    ])
  },
)

test('7: a call in progress ends before the run is cleaned up, however long it takes', async () => {
  const [stop, ledger, answer] = [createStopSignal(), createWriteLedger(), Promise.withResolvers<Exchange>()]
  const request = { method: 'POST', url: `${BASE}/payments/finalize`, headers: {}, endpoint: 'finalize' } as const
  const network = { exchange: () => answer.promise, session: async () => undefined, close: () => undefined }
  const transport = createTransportGuard(PROFILE, { stop, ledger, paced: false }).wrap(network, 'us')
  const scenario = {
    name: 'any',
    tier: 3 as const,
    checks: [],
    play: async () => void (await transport.exchange(request)),
  }
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let hasEnded = false
  const playing = playScenario(scenario, new Set(), createEvidence<string>([]), { context: {}, stop }).then(() => {
    hasEnded = true
  })
  await vi.waitFor(() => expect(ledger.lines).toHaveLength(1))
  stop.stop({ reason: 'stopped by SIGINT' })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(hasEnded).toBe(false)
  answer.resolve({ request, ...answered(200), durationMs: 4000 })
  await playing
  expect(ledger.lines.at(-1)).toEqual({ of: 1, status: 200 })
  vi.useRealTimers()
})

test('7: what belongs to an organization that is not connected stays', async () => {
  const { context, ledger } = stoppedRun(givingTokens(200), [])
  ledger.record('them', { operation: 'registerKey', id: 'key-1' })
  ledger.record('them', { operation: 'subscribe', id: 'hook-1' })
  expect(await removeRemainingResources(context, ledger)).toEqual({
    canceled: [],
    taken: [],
    stays: [
      'signing key key-1: organization them cannot be reached',
      'webhook hook-1: organization them cannot be reached',
    ],
  })
})

const CURES: [string | undefined, string][] = [
  ['reports/today', 'The run left what it could not remove: run assay certify cleanup reports/today.\n'],
  [undefined, 'The run left what it could not remove, and no ledger of it: cancel or remove it by hand.\n'],
]

test.each(CURES)('7: what stays is printed with the cure; report folder: %s', async (folder, cure) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const told = () => written.mock.calls.map(([text]) => text).join('')
  const { context, ledger } = stoppedRun(givingTokens(503), ['tx-\u001b1'])
  await cleanUp(context, ledger, folder)
  const text = told()
  written.mockClear()
  const clean = stoppedRun(givingTokens(200))
  await cleanUp(clean.context, clean.ledger, folder)
  expect({ text, clean: told() }).toEqual({ text: `stays: payment tx-\\x1b1: cancel answered 503\n${cure}`, clean: '' })
  written.mockRestore()
})

const SEARCHING = { fields: { search: { list: '/payments', transactionId: '/id' } } }
const found =
  (...payments: object[]): Answer =>
  request =>
    givingTokens(200, request.endpoint === 'search' ? { payments } : {})(request)
const [TX, OTHERS] = [
  { id: 'tx', reference: 'ref' },
  { id: 'theirs', reference: 'reference of another' },
]
const WHERE = 'its transactionId is not known: it may still be authorized'

// biome-ignore format: a table reads by its columns
test.each<[string, object, Answer, number, string[], string]>([
  ['has no search',                   {},        found(TX),         200, [],     `got 200, ${WHERE}; with fields.search.list and fields.search.transactionId in ours.yaml, cleanup looks for it`],
  ['finds it',                        SEARCHING, found(TX),         200, ['tx'], ''],
  ['finds it, though it answered 504', SEARCHING, found(TX),        504, ['tx'], ''],
  ['finds it among those of others',  SEARCHING, found(OTHERS, TX), 200, ['tx'], ''],
  ['finds those of others alone',     SEARCHING, found(OTHERS),     200, [],     `got 200, ${WHERE}; search does not show it`],
  ['finds nothing of one it served',  SEARCHING, found(),           200, [],     `got 200, ${WHERE}; search does not show it`],
  ['finds nothing after a 504',       SEARCHING, found(),           504, [],     `got 504, ${WHERE}; search does not show it`],
  ['does not search',                 SEARCHING, givingTokens(503), 200, [],     `got 200, ${WHERE}; search answered 503`],
  ['gives no token',                  SEARCHING, () => answered(401), 200, [],   `got 200, ${WHERE}; token answered 401`],
])('7: a charge without a known id, at a service that %s', async (_what, lines, answer, status, canceled, why) => {
  const { context, ledger } = stoppedRun(answer, [], lines)
  ledger.record('us', { operation: 'charge', clientTransactionId: 'ref' })({ status })
  const result = await removeRemainingResources(context, ledger)
  const stays = why === '' ? [] : [expect.stringMatching(/^charge at \S+ \(clientTransactionId ref\) /)]
  expect(result).toEqual({ canceled, taken: [], stays })
  expect(result.stays[0] ?? '').toContain(why)
  const { nameless, payments } = findRemainingResources(ledger.lines)
  expect(nameless).toHaveLength(stays.length)
  expect(payments.map(({ transactionId, stage }) => [transactionId, stage])).toEqual(canceled.map(id => [id, 'canceled']))
})
