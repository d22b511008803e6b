import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { Blocked, Inconclusive, Mismatch } from '../../contracts/harness/judge/verdict-errors.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { createCheckRegistry } from '../../contracts/harness/run/check-registry.ts'
import type { TestOrganization } from '../../contracts/suites/context/test-organization.ts'
import { awaitShopperOutcome } from '../../contracts/suites/drivers/await-shopper-outcome.ts'
import type { ShopperDriverParts } from '../../contracts/suites/drivers/shopper-driver-types.ts'
import { authorize, waitForSettlement } from '../../contracts/suites/given/create-payments.ts'
import { readStatusUntil } from '../../contracts/suites/given/read-until.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { sumBeforeEvent } from './lawful-delays-and-response-shapes.ts'
import { describeResultsExcept, runSuites, SIMULATOR_PROFILE, simulatorProfileAt } from './run-suites.ts'

const { control: _, limits: __, ...shipped } = readProfile(SIMULATOR_PROFILE)
const registry = createCheckRegistry(CHECK_SCENARIOS)

const answering = (body: unknown, status = 200): Exchange => ({
  request: { method: 'GET', url: 'https://localhost/', headers: {} },
  response: { status, headers: {}, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 1,
})
const inState = (state: string): Exchange => answering({ lifecycle: { state } })

/** An organization whose payments show as authorized so many seconds after the beginning, by a clock that pauses move. */
const authorizedAfter = (seconds: number) => {
  let [now, reads] = [0, 0]
  const organization = {
    account: 'account',
    shopper: { act: async () => undefined, methodFor: () => 'BLIK' },
    clock: {
      now: () => now,
      pause: async (ms: number) => {
        now += ms
      },
    },
    merchant: {
      request: async (endpoint: string) => {
        if (endpoint !== 'status') return answering({})
        reads += 1
        return inState(now >= seconds * 1000 ? 'AUTHORIZED' : 'AUTHENTICATED')
      },
    },
  } as unknown as TestOrganization
  return { organization, reads: () => reads }
}

const isShown = async (profile: Profile, seconds: number): Promise<boolean> => {
  const { organization } = authorizedAfter(seconds)
  const { response } = await readStatusUntil(profile, organization, 'id', ['authorized'])
  return String(response?.body).includes('AUTHORIZED')
}

// biome-ignore format: a table reads by its columns
const WAITS: readonly (readonly [what: string, lines: Partial<Profile>, shown: number, tooLate: number])[] = [
  ['unless said, for the usual patience',                     {},                          14,  17],
  ['no shorter, however long the pause between two reads is', { limits: { pollSeconds: 30 } }, 30, 31],
  ['as long as the profile is patient',                       { patience: 'PT40S' },       39,  42],
  ['a minute where the patience is for an expiry',            { patience: 'P2D' },         59,  62],
  ['a moment where the profile has no patience',              { patience: 'PT0S' },         3,   4],
  ['a moment where there is a simulator',                     { control: { url: '' } },     3,   4],
]

test.each(WAITS)('1, E5: what a call did is waited for %s', async (_what, lines, shown, tooLate) => {
  expect(await isShown({ ...shipped, ...lines }, shown)).toBe(true)
  expect(await isShown({ ...shipped, ...lines }, tooLate)).toBe(false)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['unless said',                      undefined, 7,  250],
  ['no sooner than the profile says',  3,         7,  3000],
  ['in the profile once, if that is longer than the settlement', 30, 7, 30_000],
])('4: whether a payment has settled is looked at again, %s', async (_what, pollSeconds, seconds, least) => {
  const looks: number[] = []
  const { organization } = authorizedAfter(100)
  const request = organization.merchant.request as (endpoint: string) => Promise<Exchange>
  const watched = async (endpoint: string) => {
    looks.push(organization.clock.now())
    return request(endpoint)
  }
  const watching = { ...organization, merchant: { ...organization.merchant, request: watched } } as TestOrganization
  const limits = pollSeconds === undefined ? {} : { limits: { pollSeconds } }
  await waitForSettlement({ ...shipped, ...limits, settlement: { withinSeconds: seconds }, patience: 'PT10S' }, watching, 'id')
  const pauses = looks.slice(1).map((at, index) => at - (looks[index] ?? 0))
  expect(pauses.length).toBeGreaterThan(0)
  expect(Math.min(...pauses)).toBe(least)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['unless said, may show later',                {},                          'AUTHORIZED', Inconclusive],
  ['within a longer patience, may show later',   { patience: 'P2D' },         'AUTHORIZED', Inconclusive],
  ['within the patience of the profile, fails',  { patience: 'PT40S' },       'AUTHORIZED', Mismatch],
  ['on a simulator, fails',                      { control: { url: '' } },    'AUTHORIZED', Mismatch],
  ['though the payment is declined, fails',      {},                          'DECLINED',   Mismatch],
  ['though the payment is beyond it, fails',     {},                          'REFUNDED',   Mismatch],
] as const)('1, E5: what did not show %s', (_what, lines, state, error) => {
  const { inCategory } = createExpect({ ...shipped, ...lines }, { id: 'LIF-01' })
  expect(() => inCategory(inState(state), 'captured', 'settled')).toThrow(error)
})

test('a fast service is read once', async () => {
  const { organization, reads } = authorizedAfter(0)
  await readStatusUntil(shipped, organization, 'id', ['authorized'])
  expect(reads()).toBe(1)
})

test('rule 14: what builds on an authorization is blocked where none has shown', async () => {
  const initiated = answering({ transactionId: 'id' })
  expect(await authorize(shipped, authorizedAfter(4).organization, initiated)).toBe('id')
  await expect(authorize(shipped, authorizedAfter(1000).organization, initiated)).rejects.toThrow(Blocked)
})

/** Judges the whole way of a shopper by the state that was read before the capture, and by the status of the capture. */
const judgeWhole = (state: string, capture: number) => async () => {
  const steps: Readonly<Record<string, Exchange>> = {
    authorized: inState(state),
    capture: answering({}, capture),
    captured: inState('CAPTURED'),
  }
  const check = registry.get('LIF-01')
  await check?.judge(
    { transcript: [], of: step => steps[step] ?? answering({}) },
    createExpect(shipped, { id: 'LIF-01' }),
  )
}

test('rule 14: a capture that is refused before an authorization has shown is no failure of LIF-01', async () => {
  await expect(judgeWhole('AUTHENTICATED', 422)()).rejects.toThrow(Blocked)
  await expect(judgeWhole('AUTHENTICATED', 200)()).resolves.toBeUndefined()
  await expect(judgeWhole('AUTHORIZED', 200)()).resolves.toBeUndefined()
  await expect(judgeWhole('AUTHORIZED', 422)()).rejects.not.toThrow(Blocked)
})

const ofEvents = (count: number, state = 'AUTHORIZED', more: object = {}) =>
  answering({ lifecycle: { state }, timeline: Array.from({ length: count }, (_, nth) => ({ nth })), ...more })
const found = (...ids: string[]) => answering({ payments: ids.map(transactionId => ({ transactionId })) })
const initiated = answering({ transactionId: 'one' })

/** Checks with evidence of an effect that a read does not show. */
// biome-ignore format: a table reads by its columns
const UNSHOWN: Readonly<Record<string, Readonly<Record<string, Exchange>>>> = {
  'RDS-07': { 'events of initiate': ofEvents(1), 'events of capture': ofEvents(1, 'CAPTURED', { paymentDetails: { capturedAmount: 1000 } }) },
  'RDS-09': { initiated, found: found() },
  'RDS-11': { initiated, own: found(), foreign: found() },
  'GRD-20': {
    'GRD-15 before': inState('AUTHORIZED'), 'GRD-15 events': ofEvents(3), 'GRD-16 before': inState('CAPTURED'), 'GRD-16 events': ofEvents(3),
    'GRD-16 still so after the events': inState('CAPTURED'), 'GRD-17 before': inState('SETTLED'), 'GRD-17 events': ofEvents(5),
    'GRD-19 before': inState('REFUNDED'), 'GRD-19 events': ofEvents(6),
  },
}

test.each(Object.entries(UNSHOWN))(
  '1, E5: %s awaits what a read does not show, as long as the profile says',
  async (id, steps) => {
    const judge = async (lines: Partial<Profile>) => {
      const of = (step: string) => {
        const exchange = steps[step]
        if (!exchange) throw new Error(`There is no step ${step}.`)
        return exchange
      }
      await registry
        .get(id)
        ?.judge({ transcript: [], of }, createExpect({ ...shipped, ...lines }, { id, control: 'LIF-01' }))
    }
    await expect(judge({})).rejects.toThrow(Inconclusive)
    await expect(judge({ patience: 'PT40S' })).rejects.toThrow(Mismatch)
  },
)

test('1, E5: a service whose events tell a step by and by is read until there is one event more', async () => {
  const simulator = await startTestSimulator({}, dataDir => sumBeforeEvent(dataDir, { count: 0 }))
  try {
    const results = await runSuites(simulatorProfileAt(simulator), ['RDS-07'])
    expect(describeResultsExcept(results, 'pass')).toEqual([])
  } finally {
    await simulator.stop()
  }
})

test.each([404, 429, 503])(
  '1, E5: a status that is a %i at first does not tell that the shopper has acted',
  async first => {
    const statuses = [
      answering({}, first),
      inState('AWAITING_SHOPPER'),
      inState('AUTHENTICATED'),
      inState('AUTHORIZED'),
    ]
    const merchant = { request: async () => statuses.shift() }
    const profile = { ...shipped, limits: { pollSeconds: 0.01 } }
    const parts = { profile, merchant, ended: new AbortController().signal } as unknown as ShopperDriverParts
    await awaitShopperOutcome(parts, 'one', { line: 'shopper.codes.approve' })
    expect(statuses).toHaveLength(1)
  },
)

test('1, E5: a status that cannot be read to the end blocks, and says so', async () => {
  const merchant = { request: async () => answering({}, 404) }
  const profile = { ...shipped, limits: { pollSeconds: 0.01 } }
  const parts = { profile, merchant, ended: new AbortController().signal } as unknown as ShopperDriverParts
  const waiting = awaitShopperOutcome(parts, 'one', { line: 'shopper.codes.approve', deadlineMs: 1 })
  await expect(waiting).rejects.toThrow(/the status of payment one could not be read/)
})
