import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Journey, Result } from '../../contracts/harness/check.ts'
import type { Profile } from '../../contracts/harness/profile.ts'
import { JOURNEYS } from '../../contracts/suites/all.ts'
import type { World } from '../../contracts/suites/world.ts'
import type { Config } from '../../simulator/options.ts'
import { byLot } from '../support/lot.ts'
import { startTestSimulator } from '../support/simulator.ts'
import { at, instead, textOf } from './break.ts'
import { certify, othersThan, profileOf } from './certify.ts'
import { LIMIT } from './expect-caught.ts'
import { around, type Sabotage } from './sabotage.ts'
import { SABOTEURS } from './saboteurs.ts'
import * as strange from './strange-answers.ts'
import { tryOut } from './trial.ts'

/** What stands open on a deployment that has confirmed no decision of ours. */
const unconfirmed = (profile: Profile): Profile => ({ ...profile, confirmed: [] })

const FINE = ['pass', 'observed', 'not applicable', 'withheld'] as const

type Oddity = {
  config?: Partial<Config>
  sabotage?: Sabotage
  profile?: (profile: Profile) => Profile
  only?: string[]
  /** What is told otherwise, and condemns nobody: `ERR-19 differs`. */
  told?: string[]
}

const created = instead(
  (call, { http }) => http === 200 && call.incoming.method === 'POST' && !at('/auth/token')(call),
  ({ body }) => ({ http: 201, body }),
)

/** What has no answer of its own in the document: a decline that is an HTTP error (S44). */
const declining = instead(
  (call, { http, body }) => http === 200 && call.incoming.method === 'POST' && body.includes('"status":"DECLINED"'),
  ({ body }) => ({ http: 422, body }),
)

const slow: Sabotage = (_dataDir, hits) =>
  around(async (_c, next) => {
    hits.count += 1
    await pause(15)
    await next()
  })

/** A merchant may say how long IRIS waits, and what is too short or too long is refused (S38). */
const minding = instead(
  call => at('/payments/initiate')(call) && /"validitySeconds":(120|2400)\b/.test(textOf(call)),
  () => ({ http: 400, body: '{"status":"DECLINED","statusInfo":{"reasonCode":"4000"}}' }),
)
const withValidity = (profile: Profile): Profile => ({
  ...profile,
  requests: { initiate: { validitySeconds: '/validitySeconds' } },
  notApplicable: {},
})

/** How a key that is left out is told of is a guess of ours (D-18), and theirs is another. */
const keysApart = (profile: Profile): Profile => ({
  ...profile,
  notApplicable: { ...profile.notApplicable, 'IDM-07': '428' },
})

// biome-ignore format: a table reads by its columns
const ODDITIES: readonly (readonly [what: string, Oddity])[] = [
  ['201 for what was made',             { sabotage: created }],
  ['slow answers',                      { sabotage: slow, only: ['TOK', 'SIG', 'LIF', 'IDM', 'BLK'] }],
  ['settlement at once',                { config: { settleAfter: 1 } }],
  ['settlement late',                   { config: { settleAfter: 4900 } }],
  ['declines as 422',                   { sabotage: declining, only: ['MAP', 'BLK', 'IRS'] }],
  ['a validity that can be asked for',  { sabotage: minding, profile: withValidity, only: ['IRS'] }],
  ['members that hold nothing',         { sabotage: strange.writingOut, only: ['TOK', 'VAL', 'SCP-01', 'MCK'] }],
  ['an id of its own in every answer',  { sabotage: strange.stamping, only: ['IDM', 'RDS'] }],
  ["a shopper's no by another word",    { sabotage: strange.cancelling, only: ['BLK', 'IRS'] }],
  ['a guard before the service',        { sabotage: strange.guarding, only: ['LIF-06', 'ERR'] }],
  ['statuses of HTTP for its faults',   { sabotage: strange.speakingHttp, profile: keysApart, only: ['TOK-10', 'VAL-34', 'IDM-01', 'IDM-02', 'IDM-34', 'ERR-01', 'ERR-07', 'ERR-13'] }],
  ['a conflict of states',              { sabotage: strange.conflicting('5002'), only: ['LIF-09', 'LIF-20', 'IDM-15', 'ERR-04'] }],
  ['a provider that says no by itself', { sabotage: strange.asking, only: ['VAL-10', 'VAL-45'] }],
  ['an amount of every payment',        { sabotage: strange.wantingAmounts, only: ['VAL-44'] }],
  ['SHA-512 in its signatures alone',   { config: { answerAlgorithm: 'ECDSA_SHA_512' }, sabotage: strange.digesting, only: ['RSP-05'] }],
  ['answers signed in its own way',     { sabotage: strange.signingItsOwnWay, only: ['RSP-02', 'RSP-05', 'RSP-06', 'RSP-07', 'RSP-09', 'RSP-10'], told: ['RSP-09 untestable'] }],
  ['answers signed by RSA',             { sabotage: strange.signingByRsa, only: ['RSP-02', 'RSP-06', 'RSP-07'], told: ['RSP-02 untestable', 'RSP-06 untestable', 'RSP-07 untestable'] }],
  ['signatures in a header of its own', { sabotage: strange.signingElsewhere, only: ['RSP-01', 'RSP-02', 'RSP-06', 'RSP-07'], told: ['RSP-01 untestable', 'RSP-02 blocked', 'RSP-06 blocked', 'RSP-07 blocked'] }],
  ['ids of a form of its own',          { sabotage: strange.mindingIds, only: ['RDS-02', 'RDS-03', 'RDS-04', 'RDS-05', 'RDS-06', 'LIF-27', 'LIF-28', 'ERR-18', 'RSP-06'], told: ['RDS-02 untestable', 'RDS-03 untestable', 'RDS-05 untestable', 'RDS-06 untestable', 'LIF-27 untestable', 'ERR-18 untestable'] }],
  ["a no to others' accounts",          { sabotage: strange.mindingAccounts, only: ['LIF-28'] }],
  ['a search that is behind',           { sabotage: strange.searchingLate, profile: unconfirmed, only: ['RDS-09', 'RDS-11', 'SCP-12'], told: ['RDS-09 differs', 'RDS-11 blocked', 'SCP-12 blocked'] }],
  ['a mock that waits',                 { sabotage: strange.waiting, profile: unconfirmed, only: ['MCK-23'], told: ['MCK-23 differs'] }],
  ['pages in a network of its own',     { sabotage: strange.redirectingPlainly, only: ['IRS-01'] }],
  ['400 for what a scheme lacks',       { sabotage: strange.lacking, profile: unconfirmed, only: ['VAL-35', 'VAL-36', 'ERR-01', 'ERR-07', 'ERR-13', 'ERR-19'], told: ['ERR-19 differs'] }],
  ['no lifecycle of our own',           { config: { lifecycle: 'off' }, profile: ({ fields: { status: _, events: __, ...fields } = {}, ...profile }) => ({ ...profile, fields }), only: ['TOK', 'VAL', 'IDM-08', 'MAP'] }],
]

test.each(byLot(ODDITIES, 3))(
  '9: nobody is condemned for %s',
  async (_what, { config = {}, sabotage, profile = (it: Profile) => it, only, told = [] }) => {
    const hits = { count: 0 }
    const simulator = await startTestSimulator(config, dataDir => sabotage?.(dataDir, hits) ?? {})
    try {
      const results = await certify(profile(profileOf(simulator)), only)
      const others = othersThan(results, ...FINE)
      expect(others.filter(line => !told.some(start => line.startsWith(start)))).toEqual([])
      expect(told.filter(start => !others.some(line => line.startsWith(start)))).toEqual([])
      if (sabotage) expect(hits.count).toBeGreaterThan(0)
    } finally {
      await simulator.stop()
    }
  },
  LIMIT,
)

/** Where the journeys stand that judge the whole run, or ask for faults: they stay last. */
const LAST = JOURNEYS.findIndex(({ checks }) => checks.some(({ id }) => id === 'ERR-01'))

/** Another order, drawn by lot, in which every control still comes before those that lean on it. */
const shuffled = (seed: number): Journey<World>[] => {
  const left = JOURNEYS.slice(0, LAST)
  const done = new Set<string>()
  const isReady = ({ checks }: Journey<World>) => {
    const own = checks.map(({ id }) => id)
    return checks.every(({ control }) => control === undefined || done.has(control) || own.includes(control))
  }
  const order: Journey<World>[] = []
  for (let round = 1; left.length > 0; round += 1) {
    const ready = left.filter(isReady)
    const next = ready[Math.floor(Math.abs(Math.sin(seed + round)) * ready.length)] as Journey<World>
    left.splice(left.indexOf(next), 1)
    for (const { id } of next.checks) done.add(id)
    order.push(next)
  }
  return [...order, ...JOURNEYS.slice(LAST)]
}

const verdictsOf = (results: readonly Result[]) => Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))

const seed = Number(process.env.ORDER_SEED ?? Date.now() % 100_000)

test(
  `ORDER_SEED=${seed}: another order of journeys gives the same verdicts, on the good simulator and on a broken one`,
  async () => {
    const broken = SABOTEURS.find(({ does }) => does.startsWith('calls what the life cycle forbids'))
    for (const { sabotage } of [{}, broken ?? {}] as { sabotage?: Sabotage }[]) {
      const simulator = await startTestSimulator({}, dataDir => sabotage?.(dataDir, { count: 0 }) ?? {})
      try {
        const profile = profileOf(simulator)
        const usual = verdictsOf(await certify(profile))
        expect(verdictsOf(await certify(profile, [], undefined, shuffled(seed)))).toEqual(usual)
      } finally {
        await simulator.stop()
      }
    }
  },
  LIMIT,
)

test('the same saboteur is caught in the same way again', async () => {
  const [again] = SABOTEURS.filter(({ does }) => does === 'never forgives a conflict')
  if (!again) throw new Error('That saboteur is gone: name another.')
  const [one, two] = [await tryOut(again, ['IDM']), await tryOut(again, ['IDM'])]
  expect(verdictsOf(two.results)).toEqual(verdictsOf(one.results))
})
