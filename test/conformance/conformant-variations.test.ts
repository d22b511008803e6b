import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CheckResult } from '../../contracts/harness/judge/check.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import type { Config } from '../../simulator/options/options.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import * as strange from './conformant-variations.ts'
import { certifyMutant } from './mutants/certify-mutant.ts'
import { RUN_TIMEOUT } from './mutants/expect-mutant-caught.ts'
import type { Mutation } from './mutants/mutant.ts'
import { MUTANTS } from './mutants/mutants-outside-grids.ts'
import { bodyTextOf, isCallTo, replaceReplies } from './mutants/mutations-of-matching-calls.ts'
import { allOf, outermostLayer } from './mutants/simulator-mutations.ts'
import { describeResultsExcept, runSuites, simulatorProfileAt } from './run-suites.ts'
import { shuffledScenarios } from './shuffled-scenarios.ts'

/** The profile of a deployment that has confirmed no decision. */
const unconfirmed = (profile: Profile): Profile => ({ ...profile, confirmed: [] })

const FINE = ['pass', 'observed', 'not applicable', 'withheld'] as const

type Oddity = {
  config?: Partial<Config>
  mutation?: Mutation
  profile?: (profile: Profile) => Profile
  only?: string[]
  /** Results other than a pass that are expected and are no failure: `ERR-19 differs`. */
  told?: string[]
}

const created = replaceReplies(
  (call, { http }) => http === 200 && call.incoming.method === 'POST' && !isCallTo('/auth/token')(call),
  ({ body }) => ({ http: 201, body }),
)

/** A decline as an HTTP error, which the document leaves open (S44). */
const declining = replaceReplies(
  (call, { http, body }) =>
    http === 200 &&
    call.incoming.method === 'POST' &&
    !isCallTo('search')(call) &&
    body.includes('"status":"DECLINED"'),
  ({ body }) => ({ http: 422, body }),
)

const slow: Mutation = (_dataDir, hits) =>
  outermostLayer(async (_c, next) => {
    hits.count += 1
    await pause(15)
    await next()
  })

/** A deployment where a request sets how long IRIS waits, within bounds (S38). */
const minding = replaceReplies(
  call => isCallTo('/payments/initiate')(call) && /"validitySeconds":(120|2400)\b/.test(bodyTextOf(call)),
  () => ({ http: 400, body: '{"status":"DECLINED","statusInfo":{"reasonCode":"4000"}}' }),
)
const withValidity = (profile: Profile): Profile => ({
  ...profile,
  requests: { initiate: { validitySeconds: '/validitySeconds' } },
  notApplicable: {},
})

/** A deployment whose events and webhooks tell states, which go on while a webhook is on its way. */
const withStates = ({ fields = {}, ...profile }: Profile): Profile => {
  const status = '/lifecycle/state'
  return {
    ...profile,
    capabilities: { ...profile.capabilities, manualCapture: false },
    fields: { ...fields, webhook: { ...fields.webhook, status }, events: { ...fields.events, status } },
  }
}

/** A deployment that refuses a missing key with 428; D-18 assumes 400. */
const keysApart = (profile: Profile): Profile => ({
  ...profile,
  notApplicable: { ...profile.notApplicable, 'IDM-07': '428' },
})

const ROTATED = ['RSP-02', 'RSP-06', 'RSP-07', 'RSP-08', 'RSP-10', 'GRD-39']

/** What is said of checks that read a state, and of those that they control, where no state is told. */
const UNREAD = [
  ...['LIF-01', 'LIF-05', 'LIF-09', 'BLK-01', 'VAL-46', 'VAL-48', 'VAL-49', 'VAL-50', 'VAL-51', 'VAL-52'],
  ...['MAP-15', 'MAP-16', 'MAP-17', 'MAP-18', 'MAP-21'],
]
  .map(id => `${id} untestable`)
  .concat(['LIF-08 blocked', 'MAP-19 blocked', 'MAP-20 blocked'])

/** Conformant variations that leave each other alone, by the runs that try them together; a run without `only` tries all checks. */
// biome-ignore format: a table reads by its columns
const ODDITIES: Readonly<Record<string, Readonly<Record<string, Oddity>>>> = {
  'in the responses and soon': {
    '201 for created resources':         { mutation: created },
    'immediate settlement':              { config: { settleAfter: 1 } },
    'members that are null':             { mutation: strange.explicitNulls },
    'a call id in every response':       { mutation: strange.callIdInResponses },
    'provider declines instead of 4xx':  { mutation: strange.providerDeclines },
    'an amount in every payment':        { mutation: strange.amountAlwaysRequired },
    '403 for a foreign account':         { mutation: strange.accountCheckedFirst },
  },
  'in HTTP statuses and late': {
    'slow responses':                    { mutation: slow },
    'settlement late':                   { config: { settleAfter: 4900 } },
    'declines as 422':                   { mutation: declining },
    'a gateway that answers 404 and 405':{ mutation: strange.gatewayErrors },
    '415 and 428 instead of 400':        { mutation: strange.httpStatusCodes, profile: keysApart },
    '409 where a state forbids a call':  { mutation: strange.stateConflict('5002') },
  },
  'in its signatures and states': {
    'other signed components':           { mutation: strange.ownSignatureComponents, profile: unconfirmed, only: ['RSP-02', 'RSP-05', 'RSP-06', 'RSP-07', 'RSP-09', 'RSP-10', 'RSP-11'], told: ['RSP-09 untestable', 'RSP-11 differs'] },
    'no lifecycle member in responses':  { config: { lifecycle: 'off' }, profile: ({ fields: { status: _, events: __, ...fields } = {}, ...profile }) => ({ ...profile, fields }), only: ['TOK', 'VAL', 'IDM-08', 'MAP'], told: UNREAD },
  },
  'in its keys and times': {
    'responses signed with RSA':         { mutation: strange.rsaSignatures, only: ['RSP-02', 'RSP-06', 'RSP-07'], told: ['RSP-02 untestable', 'RSP-06 untestable', 'RSP-07 untestable'] },
    'CANCELED where a shopper declines': { mutation: strange.shopperDeclineAsCancellation, only: ['BLK', 'IRS'] },
    'a requested payment validity':      { mutation: minding, profile: withValidity, only: ['IRS'], config: { unknownMembers: 'ignore' } },
  },
  'in its headers and ids': {
    'signatures in another header':      { mutation: strange.signatureInOwnHeader, only: ['RSP-01', 'RSP-02', 'RSP-06', 'RSP-07'], told: ['RSP-01 untestable', 'RSP-02 blocked', 'RSP-06 blocked', 'RSP-07 blocked'] },
    'an enforced id format':             { mutation: strange.idFormatEnforced, only: ['RDS-02', 'RDS-03', 'RDS-04', 'RDS-05', 'RDS-06', 'LIF-27', 'LIF-28', 'ERR-18'], told: ['RDS-02 untestable', 'RDS-03 untestable', 'RDS-05 untestable', 'RDS-06 untestable', 'LIF-27 untestable', 'ERR-18 untestable'] },
  },
  'in what is away or over': {
    'a gateway that is away at first':   { mutation: strange.awayAtFirst, only: ['LIF-01', 'LIF-17'], told: ['LIF-01 inconclusive', 'LIF-17 blocked'] },
    'one token at a time':               { mutation: strange.oneTokenAtATime, profile: unconfirmed, only: ['TOK-16', 'TOK-17', 'SIG-21', 'VAL-01', 'VAL-02', 'SCP-11'], told: ['TOK-17 differs'] },
  },
  'in keys that it rotates': {
    'a key that a later key set shows':  { mutation: strange.rotatingKeys('after'), only: ROTATED },
    'states in events and webhooks':     { profile: withStates, only: ['EVT-02'] },
  },
  'in keys that it withdraws': {
    'a key that an earlier key set shows': { mutation: strange.rotatingKeys('before'), only: ROTATED },
  },
  'where no decision is confirmed': {
    'a search that lags behind':         { mutation: strange.delayedSearch, profile: unconfirmed, only: ['RDS-09', 'RDS-11', 'SCP-12'], told: ['RDS-09 differs', 'RDS-11 blocked', 'SCP-12 blocked'] },
    'a mock that stays PENDING':         { mutation: strange.pendingMocks, profile: unconfirmed, only: ['MCK-23'], told: ['MCK-23 differs'] },
    'SHA-512 in signatures only':        { config: { responseAlgorithm: 'ECDSA_SHA_512' }, mutation: strange.sha512SignatureOnly, only: ['RSP-05'] },
    'http: pages in a private network':  { mutation: strange.plainHttpRedirect, only: ['IRS-01'] },
    '400 for an unsupported method':     { mutation: strange.unsupportedAs400, profile: unconfirmed, only: ['VAL-35', 'VAL-36', 'ERR-01', 'ERR-07', 'ERR-13', 'ERR-19'], told: ['ERR-19 differs'] },
  },
}

test.concurrent.each(Object.entries(ODDITIES))(
  '9: no check fails for conformant variations %s',
  async (_where, variations) => {
    const odd = Object.entries(variations).map(([what, oddity]) => ({ what, ...oddity, hits: { count: 0 } }))
    const mutated = odd.flatMap(({ mutation, ...row }) => (mutation ? { ...row, mutation } : []))
    const config: Partial<Config> = Object.assign({}, ...odd.map(({ config }) => config))
    const simulator = await startTestSimulator(config, allOf(mutated))
    const only = odd.every(({ only }) => only) ? odd.flatMap(({ only = [] }) => only) : []
    const told = odd.flatMap(({ told = [] }) => told)
    try {
      const profile = odd.reduce((all, { profile = it => it }) => profile(all), simulatorProfileAt(simulator))
      const others = describeResultsExcept(await runSuites(profile, only), ...FINE)
      expect(others.filter(line => !told.some(start => line.startsWith(start)))).toEqual([])
      expect(told.filter(start => !others.some(line => line.startsWith(start)))).toEqual([])
      expect(mutated.filter(({ hits }) => hits.count === 0).map(({ what }) => what)).toEqual([])
    } finally {
      await simulator.stop()
    }
  },
  RUN_TIMEOUT,
)

const verdictsOf = (results: readonly CheckResult[]) =>
  Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))

test(
  'another order of scenarios gives the same verdicts on a mutant',
  async () => {
    const broken = MUTANTS.find(({ does }) => does.startsWith('returns 400 for a forbidden state'))
    const simulator = await startTestSimulator({}, dataDir => broken?.mutation?.(dataDir, { count: 0 }) ?? {})
    try {
      const profile = simulatorProfileAt(simulator)
      const usual = verdictsOf(await runSuites(profile, ['LIF', 'IDM']))
      expect(Object.values(usual)).toContain('fail')
      expect(verdictsOf(await runSuites(profile, ['LIF', 'IDM'], undefined, shuffledScenarios()))).toEqual(usual)
    } finally {
      await simulator.stop()
    }
  },
  RUN_TIMEOUT,
)

test('two runs against the same mutant give the same verdicts', async () => {
  const [again] = MUTANTS.filter(({ does }) => does === 'keeps a key in conflict after a 409')
  if (!again) throw new Error('There is no such mutant: name another.')
  const [one, two] = [await certifyMutant(again, ['IDM']), await certifyMutant(again, ['IDM'])]
  expect(verdictsOf(two.results)).toEqual(verdictsOf(one.results))
})
