import { expect, test } from 'vitest'
import {
  CAPABILITIES,
  controlIdFor,
  type DeclaredCapabilities,
  missingCapabilityReason,
} from '../../contracts/harness/profile/capabilities-that-checks-need.ts'
import { createCheckRegistry } from '../../contracts/harness/run/check-registry.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { RUN_TIMEOUT } from './mutants/expect-mutant-caught.ts'
import type { Mutation } from './mutants/mutant.ts'
import { bodyTextOf, isCallTo } from './mutants/mutations-of-matching-calls.ts'
import { allOf, mutateReply } from './mutants/simulator-mutations.ts'
import { describeResultsExcept, idsWithVerdict, runSuites, simulatorProfileAt } from './run-suites.ts'

const refusing = (http: number, reasonCode: string) => ({
  http,
  body: JSON.stringify({ callId: crypto.randomUUID(), statusInfo: { reasonCode, message: 'not offered' } }),
})
const isServed = ({ http }: { http: number }) => http < 300
const unsupported = refusing(501, '8003')
const absent = () => refusing(404, '4000')

/** A deployment that does not offer what a text of a request asks for, nor these operations. */
const without = (asking: RegExp, ...operations: string[]) =>
  mutateReply((reply, call) => {
    if (operations.length > 0 && isCallTo(...operations.map(name => `/payments/${name}`))(call)) return absent()
    return isServed(reply) && asking.test(bodyTextOf(call)) ? unsupported : undefined
  })

const BLIK_ALONE: DeclaredCapabilities = { methods: ['BLIK'] }
const IRIS_ALONE: DeclaredCapabilities = { methods: ['IRIS'], manualCapture: false }

type Lacked = [what: string, lacked: DeclaredCapabilities, mutation: Mutation, needing: string]

// biome-ignore format: a table reads by its columns
const [IRIS, BLIK, BY_HAND, PART_CAPTURED, PART_REFUNDED, MANDATES, REPORTS]: [Lacked, Lacked, Lacked, Lacked, Lacked, Lacked, Lacked] = [
  ['IRIS',                     BLIK_ALONE,                  without(/"providerId":"IRIS"/),                               'VAL-02'],
  ['BLIK, capture by hand',    IRIS_ALONE,                  without(/"providerId":"BLIK"|"autoCapture":false/, 'charge', 'capture', 'cancel'), 'VAL-01'],
  ['capture by hand',          { manualCapture: false },    without(/"autoCapture":false/, 'capture', 'cancel'),          'LIF-09'],
  ['partial captures',         { partialCaptures: false },  without(/"paymentDetails":\{"amount":(400|600)\b/),           'LIF-17'],
  ['partial refunds',          { partialRefunds: false },   without(/"description":"Contract check","amount":400\b/),     'LIF-16'],
  ['mandates',                 { recurring: false },        without(/"(RECURRING|TOKEN_ONLY)"/, 'charge'),                'VAL-38'],
  ['reports',                  { reports: false },          without(/scope=data%3Areports/),                              'SCP-11'],
]

/** What a deployment lacks at once, where no check needs two of it, and the least number of other checks. */
const LACKED: readonly (readonly [applicable: number, rows: Lacked[]])[] = [
  [270, [IRIS, PART_CAPTURED, PART_REFUNDED, REPORTS]],
  [210, [BLIK]],
  [260, [BY_HAND, MANDATES]],
]

test.each(LACKED)(
  '1: of more than %i applicable checks none fails, and none is left open, without %j',
  async (applicable, rows) => {
    const lacked = rows.map(([, capabilities, mutation, needing]) => ({
      capabilities,
      mutation,
      needing,
      hits: { count: 0 },
    }))
    const simulator = await startTestSimulator({}, allOf(lacked))
    try {
      const capabilities: DeclaredCapabilities = Object.assign({}, ...lacked.map(({ capabilities }) => capabilities))
      const results = await runSuites({ ...simulatorProfileAt(simulator), capabilities })
      expect(describeResultsExcept(results, 'pass', 'observed', 'not applicable', 'withheld')).toEqual([])
      expect(idsWithVerdict(results, 'pass', 'observed').length).toBeGreaterThan(applicable)
      const needing = lacked.map(({ needing }) => needing)
      const undeclared = await runSuites(simulatorProfileAt(simulator), needing)
      expect(lacked.filter(({ hits }) => hits.count === 0)).toEqual([])
      expect(undeclared.map(({ id }) => id)).toEqual(expect.arrayContaining(needing))
    } finally {
      await simulator.stop()
    }
  },
  RUN_TIMEOUT,
)

const ALL_LACKED: readonly DeclaredCapabilities[] = [
  ...CAPABILITIES.map(name => ({ [name]: false })),
  BLIK_ALONE,
  { methods: ['IRIS'] },
]

test.each(ALL_LACKED)('1: with %j the control of every applicable check applies too', capabilities => {
  const profile = { file: 'p.yaml', capabilities }
  const applies = (id: string) => missingCapabilityReason(profile, id) === undefined
  const uncontrolled = [...createCheckRegistry(CHECK_SCENARIOS).values()].flatMap(({ id, control }) => {
    const here = controlIdFor(profile, control)
    return here !== undefined && applies(id) && !applies(here) ? [`${id} has the control ${here}`] : []
  })
  expect(uncontrolled).toEqual([])
})
