import { expect, test } from 'vitest'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import type { Config } from '../../simulator/options/options.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { lateReads, lateSearch } from './lawful-delays-and-response-shapes.ts'
import * as lawful from './lawful-payment-servers.ts'
import { RUN_TIMEOUT } from './mutants/expect-mutant-caught.ts'
import { forgiveToken, TOKEN_FAULTS } from './mutants/grid-layer-mutations.ts'
import type { Mutation } from './mutants/mutant.ts'
import { moving } from './mutants/time-mutants.ts'
import { describeResultsExcept, idsWithVerdict, runSuites, simulatorProfileAt } from './run-suites.ts'

/** The profile of a deployment without a control API, whose payments settle soon. */
const uncontrolled = ({ control: _, secondOrganization: __, ...profile }: Profile): Profile => ({
  ...profile,
  patience: 'PT5S',
  settlement: { withinSeconds: 2 },
})

/** The profile of a deployment without captures or refunds in parts, whose acts repeat the reference of their payment. */
const inWholes = (profile: Profile): Profile => ({
  ...profile,
  capabilities: { ...profile.capabilities, partialCaptures: false, partialRefunds: false },
  decisions: { ...profile.decisions, 'D-48': 'of-payment' },
})

/** A lawful server: the checks that are run against it, its profile, and those whose verdict is not a pass. */
type Lawful = {
  mutation?: Mutation
  config?: Partial<Config>
  only: string[]
  profile?: (profile: Profile) => Profile
  /** Checks that must pass although the server is unusual. */
  passes?: string[]
  /** The checks never make the calls that this server refuses. */
  isNeverMet?: true
  /** Beginnings of results that are expected, as `LIF-01 blocked`. */
  told?: string[]
}

const FINE = ['pass', 'observed', 'not applicable', 'withheld'] as const

const unconfirmed = (profile: Profile): Profile => ({ ...profile, confirmed: [] })

/** The profile of a deployment whose finalize always captures, with the checks of captures by hand left out. */
const capturing = (profile: Profile): Profile => ({
  ...profile,
  capabilities: { manualCapture: false } as never,
  notApplicable: Object.fromEntries(HAND_CAPTURES.map(id => [id, 'there is no capture by hand'])),
})

const returning = ({ target, ...profile }: Profile): Profile => ({
  ...profile,
  target: { ...target, returnUrl: 'https://ours.example/back' },
})

/** The profile of a deployment without capture by hand whose shoppers act by fixed codes. */
const byCodes = (profile: Profile): Profile => ({
  ...uncontrolled(profile),
  capabilities: { manualCapture: false, mocks: false, methods: ['BLIK'] },
  shopper: { codes: { approve: '990001', decline: '990200', lapse: '990202' } },
  limits: { pollSeconds: 0.05 },
})

/** The profile of a deployment without a control API whose shoppers act by fixed codes, if not by a code of the provider. */
const byCodesAndMocks = (profile: Profile): Profile => ({
  ...uncontrolled(profile),
  shopper: { codes: { approve: '990001', decline: '990200', lapse: '990202' } },
  mocks: { ...profile.mocks, providerCode: '/steps/initiate/providerCode' },
  limits: { pollSeconds: 0.05 },
})

/** The profile of a deployment that refuses a refund above the rest with 400. */
const sumsAs400 = (profile: Profile): Profile => ({ ...profile, decisions: { ...profile.decisions, 'D-41': '400' } })

/** The profile of a deployment whose refunds name no amount: they are of all that has settled. */
const withoutRefundedAmounts = (profile: Profile): Profile => ({
  ...profile,
  requests: { without: { refund: ['paymentDetails.amount'] } },
})

const processing = (profile: Profile): Profile => ({
  ...profile,
  states: { ...profile.states, processing: ['PROCESSING'] },
})

const HAND_CAPTURES = ['LIF-04', 'LIF-09', 'LIF-10', 'LIF-11', 'LIF-12', 'LIF-13', 'LIF-14', 'LIF-17', 'LIF-20']
const OF_EVERY_CAPTURE = ['LIF-01', 'LIF-02', 'LIF-05', 'LIF-07', 'LIF-08', 'LIF-16', 'LIF-18', 'LIF-22', 'RDS-07']

const EARLY_CANCELS = ['IRS-15', 'LIF-30', 'LIF-31', 'LIF-09', 'GRD-13', 'GRD-90', 'VAL-51']
const OF_TOKENS = ['VAL-44', 'VAL-48', 'VAL-53', 'GRD-74', 'GRD-52', 'LIF-26']
const OF_PARTS = ['LIF-17', 'LIF-34', 'LIF-37', 'LIF-38', 'GRD-69', 'GRD-72', 'GRD-91']
const OF_REFUNDED_SUMS = ['GRD-72', 'LIF-15', 'LIF-18', 'LIF-37', 'IRS-13', 'GRD-32', 'GRD-34', 'GRD-91']

// biome-ignore format: a table reads by its columns
const SERVERS: readonly (readonly [what: string, Lawful])[] = [
  ['shows effects a moment later',           { mutation: lawful.laggingStatus,        only: ['GRD-71', 'GRD-72', 'GRD-73', 'GRD-74', 'GRD-75', 'GRD-76', 'GRD-77', 'GRD-78', 'GRD-70', 'BLK-07', 'LIF-02', 'LIF-09', 'LIF-05', 'LIF-22', 'BLK-05', 'IDM-06', 'LIF-35', 'LIF-34', 'IRS-09', 'IRS-12'], passes: ['GRD-71', 'GRD-72', 'GRD-73', 'GRD-75', 'GRD-76', 'GRD-77', 'GRD-78'] }],
  ['captures with finalize only',            { mutation: lawful.withoutManualCapture, only: [...OF_EVERY_CAPTURE, 'IDM-02', 'IDM-06'], profile: capturing, passes: OF_EVERY_CAPTURE, isNeverMet: true }],
  ['captures with finalize and does not say',{ mutation: lawful.withoutManualCapture, only: ['LIF', 'IDM-04', 'IDM-05'], told: ['LIF-01 blocked: there seems to be no capture by hand', 'LIF', 'IDM'] }],
  ['supports no capture',                    { mutation: lawful.withoutCaptures,      only: ['GRD-72', 'GRD-75', 'GRD-77', 'GRD-89', 'VAL-57', 'LIF-01', 'LIF-10', 'LIF-11', 'LIF-14'], passes: ['GRD-89', 'VAL-57'], told: ['GRD-75 blocked', 'GRD-77 blocked', 'LIF-01 blocked', 'LIF-10 blocked', 'LIF-11 blocked', 'LIF-14 blocked'] }],
  ['marks its replays',                      { mutation: lawful.markedReplays,        only: ['IDM-08', 'IDM-09', 'IDM-10', 'IDM-19', 'IDM-29', 'IDM-22'] }],
  ['wants an amount in captures, refunds',   { mutation: lawful.amountRequired,       only: ['LIF-08', 'LIF-11', 'LIF-13', 'IDM-04', 'IDM-06'], isNeverMet: true }],
  ['has payments judged by the provider',    { mutation: lawful.declinedLater,        only: ['VAL-10', 'VAL-11', 'VAL-12', 'VAL-15', 'VAL-17', 'VAL-19', 'VAL-23', 'VAL-25', 'VAL-35'], profile: unconfirmed, told: ['VAL-23 differs', 'VAL-25 differs'] }],
  ['knows the hosts to return to',           { mutation: lawful.registeredHosts,      only: ['VAL-01', 'VAL-02', 'VAL-33', 'IRS-01', 'IRS-02', 'IDM-28'], profile: returning, passes: ['VAL-02', 'VAL-33', 'IRS-01'] }],
  ['supports no refund',                     { mutation: lawful.withoutRefunds,       only: ['GRD-71', 'GRD-72', 'GRD-73', 'GRD-75', 'GRD-76', 'GRD-77', 'LIF-07', 'LIF-08', 'LIF-27', 'LIF-28', 'GRD-13', 'GRD-16', 'GRD-22', 'GRD-23', 'LIF-36', 'IRS-12', 'IRS-13', 'IRS-14'], passes: ['LIF-27', 'LIF-28', 'GRD-13', 'GRD-16', 'GRD-22', 'GRD-23'], told: ['LIF-07 blocked', 'LIF-08 blocked', 'LIF-36 blocked'] }],
  ['tells how a payment has ended',          { mutation: lawful.reasonOfEnd,          only: ['ERR-05', 'GRD-14', 'GRD-42'] }],
  ['waits for IRIS as the provider does',    { mutation: moving('shopper-window', 180_000, 'IRIS'), only: ['IRS-03'] }],
  ['lets a token to read charge',            { mutation: forgiveToken('charge', TOKEN_FAULTS.scopeless), only: ['SCP-05'], profile: unconfirmed, told: ['SCP-05 differs'] }],
  ['declines with 402',                      { mutation: lawful.declinesAs402,        only: ['BLK-04', 'ERR-13'] }],
  ['declines with 402, and lets no time pass', { mutation: lawful.declinesAs402,      only: ['GRD-42'], profile: it => ({ ...byCodesAndMocks(it), decisions: { 'D-07': '402' } }), passes: ['GRD-42'] }],
  ['declines without a payment',             { mutation: lawful.namelessDeclines,     only: ['GRD-42'], profile: byCodesAndMocks }],
  ['refuses tokens as OAuth does',           { mutation: lawful.oauthErrors,          only: ['TOK-14', 'VAL-26', 'ERR-01', 'ERR-06', 'ERR-07', 'ERR-12'] }],
  ['fails once',                             { mutation: lawful.passingFailure,       only: ['BRR-05', 'ERR-21'] }],
  ['is busy with a call that timed out',     { mutation: lawful.busyAfterTimeout,     only: ['IDM-38', 'ERR-04'] }],
  ['gives IRIS ten minutes',                 { config: { irisValidity: 600_000 },         only: ['IRS-07', 'IRS-03'] }],
  ['grants further words as scopes',         { mutation: lawful.furtherScopes,        only: ['TOK-06', 'TOK-09'], passes: ['TOK-06', 'TOK-09'] }],
  ['takes UUIDs as keys',                    { mutation: lawful.uuidKeys,             only: ['IDM-33'], profile: unconfirmed, told: ['IDM-33 differs'] }],
  ['has conflicts of states',                { mutation: lawful.stateConflicts,       only: ['GRD-71', 'GRD-74', 'GRD-13', 'GRD-14', 'GRD-16', 'GRD-17', 'GRD-18', 'GRD-19', 'GRD-42'] }],
  ['cancels until settlement',               { mutation: lawful.cancelBeforeSettlement, only: ['GRD-75', 'GRD-76', 'LIF-10', 'GRD-16'], profile: unconfirmed, told: ['GRD-75 differs', 'GRD-76 differs', 'LIF-10 differs', 'GRD-16 differs: leans on D-39'] }],
  ['calls no pending request off',           { mutation: lawful.withoutEarlyCancels,  only: EARLY_CANCELS, passes: ['IRS-15', 'LIF-30', 'LIF-31', 'LIF-09', 'GRD-13', 'GRD-90']}],
  ['takes no amount for a token',            { mutation: lawful.tokensWithoutAmount, only: OF_TOKENS, passes: OF_TOKENS }],
  ['captures one part alone',                { mutation: lawful.capturesOnce('OPERATION_UNSUPPORTED'), only: OF_PARTS, passes: ['LIF-17', 'LIF-37', 'GRD-72'] }],
  ['captures one part, and releases the rest', { mutation: lawful.capturesOnce('TRANSITION_NOT_ALLOWED'), only: OF_PARTS, profile: unconfirmed, passes: ['LIF-17', 'LIF-37', 'GRD-72'], told: ['GRD-69 differs'] }],
  ['finds one payment on each page',         { mutation: lawful.pagesOfOne, only: ['RDS-09', 'RDS-20'], passes: ['RDS-09'], told: ['RDS-20 untestable: each search has shown one payment: if pages hold one, ask for more by requests.always.search'] }],
  ['lists its latest payments in searches',  { mutation: lawful.searchesTheLatest,    only: ['RDS-09', 'GRD-41', 'GRD-50', 'GRD-59', 'GRD-66', 'GRD-78'], passes: ['RDS-09'] }],
  ['judges sums of refunds, settled at once',{ mutation: lawful.sumsOfRefundsAs400(false), only: OF_REFUNDED_SUMS, config: { settleAfter: 1 }, profile: sumsAs400, passes: OF_REFUNDED_SUMS }],
  ['judges sums before states',              { mutation: lawful.sumsOfRefundsAs400(true), only: OF_REFUNDED_SUMS, profile: sumsAs400, passes: OF_REFUNDED_SUMS }],
  ['refunds what has settled, in wholes',    { only: ['GRD-72', 'LIF-08'], config: { settleAfter: 1 }, profile: withoutRefundedAmounts, passes: ['GRD-72', 'LIF-08'] }],
  ['captures by hand with one method',       { mutation: lawful.irisWithoutCaptures,  only: ['GRD-75', 'GRD-76', 'GRD-72', 'GRD-13'], config: { settleAfter: 100 }, profile: uncontrolled, passes: ['GRD-13'] }],
  ['adds to its events a moment later',      { mutation: lateReads('events'),         only: ['GRD-12', 'GRD-20', 'GRD-24', 'RDS-07'] }],
  ['changes members of its events',          { mutation: lawful.changingEvents,       only: ['GRD-20', 'GRD-21'], passes: ['GRD-20', 'GRD-21'] }],
  ['looks for the payment before the key',   { mutation: lawful.paymentBeforeKey,     only: ['GRD-29'] }],
  ['looks for the payment, and takes wholes',{ mutation: lawful.paymentBeforeKey,     only: ['IDM-17', 'IDM-18'], profile: inWholes, passes: ['IDM-17', 'IDM-18'] }],
  ['sets mocks of any account',              { mutation: lawful.mocksOfAnyAccount,    only: ['GRD-22', 'MCK-26'] }],
  ['wants a signature as a field',           { mutation: lawful.missingSignatureAs400, only: ['GRD-08', 'MCK-02'], passes: ['GRD-08', 'MCK-02'] }],
  ['finds payments at the second search',    { mutation: lateSearch,                  only: ['GRD-78', 'GRD-41', 'GRD-50'], passes: ['GRD-78', 'GRD-50'] }],
  ['declines charges',                       { mutation: lawful.declinesCharges('at once'), only: ['GRD-75', 'GRD-77', 'GRD-35', 'GRD-47', 'LIF-03', 'VAL-38', 'VAL-39', 'VAL-53', 'VAL-54', 'VAL-55', 'VAL-56', 'LIF-36'], told: ['GRD-75 blocked', 'GRD-77 blocked', 'VAL-53 blocked', 'VAL-54 blocked', 'VAL-55 blocked', 'VAL-56 blocked', 'GRD-35 blocked', 'GRD-47 blocked', 'LIF-03 blocked', 'VAL-38 blocked', 'VAL-39 blocked', 'LIF-35 blocked', 'LIF-36 blocked'] }],
  ['declines charges later',                 { mutation: lawful.declinesCharges('later'), only: ['GRD-35', 'GRD-47', 'LIF-03', 'LIF-35'], told: ['GRD-35 blocked', 'GRD-47 blocked', 'LIF-03 blocked', 'LIF-35 blocked'] }],
  ['authorizes charges later',               { mutation: lawful.authorizesChargesLater, only: ['GRD-35', 'GRD-47', 'LIF-35'], passes: ['GRD-35', 'GRD-47', 'LIF-35'] }],
  ['finalizes later',                        { mutation: lawful.finalizesLater,       only: ['GRD-71', 'GRD-72', 'GRD-73', 'GRD-74', 'GRD-75', 'GRD-76', 'GRD-77', 'GRD-78', 'LIF-01', 'LIF-04', 'BLK-05', 'SCP-02', 'IDM-13', 'GRD-13', 'GRD-16', 'GRD-25', 'GRD-30', 'GRD-52', 'GRD-90', 'VAL-64', 'VAL-66', 'LIF-34', 'IRS-09', 'IRS-11', 'VAL-53'], profile: processing, passes: ['GRD-72', 'GRD-73', 'GRD-75', 'GRD-76', 'GRD-77', 'LIF-01', 'LIF-04', 'BLK-05', 'SCP-02', 'IDM-13', 'VAL-53', 'GRD-16', 'GRD-25', 'GRD-30', 'GRD-52', 'LIF-34', 'IRS-09', 'IRS-11'] }],
  ['has codes that approve by themselves',   { mutation: lawful.approvesMeanwhile,    only: ['LIF-07', 'LIF-24'], profile: byCodes, passes: ['LIF-07', 'LIF-24'], isNeverMet: true }],
  ['declines payments',                      { mutation: lawful.declines('/payments/initiate'), only: ['VAL-01', 'VAL-02', 'MCK-03'], told: ['VAL-01 blocked', 'VAL-02 blocked', 'MCK-03 blocked: it was declined'] }],
  ['declines what shoppers approve',         { mutation: lawful.declines('/payments/finalize'), only: ['BLK-01', 'LIF-02', 'IRS-10'], told: ['BLK-01 blocked', 'LIF-02 blocked', 'IRS-10 blocked'] }],
  ['declines cancels',                       { mutation: lawful.declines('/payments/cancel'), only: ['LIF-09', 'LIF-30', 'GRD-35', 'GRD-90', 'VAL-64'], told: ['LIF-09 blocked', 'LIF-30 blocked', 'GRD-35 blocked', 'GRD-90 blocked', 'VAL-64 blocked'] }],
  ['declines refunds',                       { mutation: lawful.declines('/payments/refund'), only: ['GRD-73', 'LIF-08', 'LIF-16', 'LIF-36', 'LIF-37', 'IRS-12', 'IRS-13'], told: ['GRD-73 blocked', 'LIF-08 blocked', 'LIF-16 blocked', 'LIF-36 blocked', 'LIF-37 blocked', 'IRS-12 blocked', 'IRS-13 blocked'] }],
]

test.concurrent.each(SERVERS)(
  'no check fails for a server that %s',
  async (_what, { mutation, config, only, profile = (it: Profile) => it, passes = [], told = [], isNeverMet }) => {
    const hits = { count: 0 }
    const simulator = await startTestSimulator(config, dataDir => mutation?.(dataDir, hits) ?? {})
    try {
      const results = await runSuites(profile(simulatorProfileAt(simulator)), only)
      const others = describeResultsExcept(results, ...FINE)
      expect(others.filter(line => !told.some(start => line.startsWith(start)))).toEqual([])
      expect(told.filter(start => !others.some(line => line.startsWith(start)))).toEqual([])
      expect(idsWithVerdict(results, 'fail')).toEqual([])
      expect(idsWithVerdict(results, 'pass')).toEqual(expect.arrayContaining(passes))
      expect(hits.count > 0).toBe(mutation !== undefined && !isNeverMet)
    } finally {
      await simulator.stop()
    }
  },
  RUN_TIMEOUT,
)

/** Checks that need neither a control API nor a shopper, or for whose shopper a mock is enough. */
const WITHOUT_CONTROL = [
  ...['VAL-02', 'VAL-03', 'VAL-10', 'VAL-20', 'VAL-26', 'IRS-01', 'IDM-01', 'IDM-08', 'IDM-15', 'IDM-28', 'IDM-40'],
  ...['LIF-01', 'LIF-02', 'LIF-04', 'LIF-05', 'LIF-07', 'LIF-08', 'LIF-09', 'LIF-10', 'LIF-12', 'LIF-16', 'LIF-18'],
  ...['IDM-02', 'IDM-04', 'IDM-06', 'MCK-03', 'MCK-07', 'ERR-01', 'ERR-13', 'BRR-05'],
]

test(
  'a deployment without a control API is judged where a mock can stand for the shopper',
  async () => {
    const simulator = await startTestSimulator({ settleAfter: 100 })
    try {
      const suites = ['VAL', 'LIF', 'IDM', 'IRS', 'BLK', 'MCK', 'BRR', 'ERR']
      const results = await runSuites(uncontrolled(simulatorProfileAt(simulator)), suites)
      expect(describeResultsExcept(results, ...FINE, 'untestable', 'blocked', 'inconclusive')).toEqual([])
      expect(idsWithVerdict(results, 'pass')).toEqual(expect.arrayContaining(WITHOUT_CONTROL))
    } finally {
      await simulator.stop()
    }
  },
  RUN_TIMEOUT,
)
