import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { Mismatch } from '../../contracts/harness/judge/verdict-errors.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { createCheckRegistry } from '../../contracts/harness/run/check-registry.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const profile = readProfile(SIMULATOR_PROFILE)
const registry = createCheckRegistry(CHECK_SCENARIOS)

const answering = (body: unknown): Exchange => ({
  request: { method: 'GET', url: 'https://localhost/', headers: {} },
  response: { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 1,
})

/** Judges a check by these responses, named by step; returns what it threw. */
const judged = async (id: string, responses: Record<string, unknown>, by: Profile = profile): Promise<unknown> => {
  const check = registry.get(id)
  if (!check) throw new Error(`no check ${id}`)
  const evidence = { transcript: [], of: (step: string) => answering(responses[step]) }
  try {
    await check.judge(evidence, createExpect(by, check))
  } catch (error) {
    return error
  }
}

const pushing = (body: object) => ({ body: JSON.stringify(body), headers: {}, secret: '', target: '/', id: '' })
const sum = (paymentDetails: object) => ({ paymentDetails })

// biome-ignore format: a table reads by its columns
const SAME: readonly [what: string, id: string, responses: Record<string, unknown>, other: Record<string, unknown>][] = [
  ['a code',          'EVT-02', { pushed: pushing({ status: 'A', statusInfo: { reasonCode: -1 } }),    events: { status: 'A', statusInfo: { reasonCode: '-1' } } },
                                { pushed: pushing({ status: 'A', statusInfo: { reasonCode: -1 } }),    events: { status: 'A', statusInfo: { reasonCode: '1' } } }],
  ['an id',           'EVT-01', { pushed: pushing({ transactionId: 7 }),                               initiated: { transactionId: '7' } },
                                { pushed: pushing({ transactionId: 7 }),                               initiated: { transactionId: '8' } }],
  ['an id in a list', 'RDS-09', { initiated: { transactionId: '7' }, found: { payments: [{ transactionId: 7 }] } },
                                { initiated: { transactionId: '7' }, found: { payments: [{ transactionId: 8 }] } }],
  ['a state',         'RDS-14', { status: { lifecycle: { state: 30 } }, again: { lifecycle: { state: 30 } }, events: { lifecycle: { state: '30' } } },
                                { status: { lifecycle: { state: 30 } }, again: { lifecycle: { state: 30 } }, events: { lifecycle: { state: '40' } } }],
  ['a sum',           'IDM-12', { refund: {}, 'refund again': {}, refunded: sum({ refundedAmount: '1000.00' }) },
                                { refund: {}, 'refund again': {}, refunded: sum({ refundedAmount: '100.00' }) }],
]

test.each(SAME)(
  '2.6, 7: %s may be a number in one place and a text in another (%s)',
  async (_what, id, same, other) => {
    expect(await judged(id, same)).toBeUndefined()
    expect(await judged(id, other)).toBeInstanceOf(Mismatch)
  },
)

test.each(['major', 'major-text'] as const)(
  '2.2: a sum in major units is compared in minor ones (%s)',
  async amounts => {
    const refunds = (refundedAmount: unknown) => ({ refund: {}, 'refund again': {}, refunded: sum({ refundedAmount }) })
    const inMajor = { ...profile, forms: { amounts } }
    expect(await judged('IDM-12', refunds(10), inMajor)).toBeUndefined()
    expect(await judged('IDM-12', refunds('10.00'), inMajor)).toBeUndefined()
    expect(await judged('IDM-12', refunds(1000), inMajor)).toBeInstanceOf(Mismatch)
  },
)

test('2.1: one id as a number and as a text is one payment, not two', async () => {
  const step = (transactionId: unknown) => ({ transactionId })
  expect(await judged('IDM-21', { first: step(7), fresh: step('7') })).toBeInstanceOf(Mismatch)
  expect(await judged('IDM-21', { first: step(7), fresh: step('8') })).toBeUndefined()
})
