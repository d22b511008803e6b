import { expect, test } from 'vitest'
import { createCheckAgainstSchema } from '../../simulator/scenarios/check-scenario-file-against-schema.ts'
import { parseScenarioFile } from '../../simulator/scenarios/read-scenario-file.ts'
import type { Scenario } from '../../simulator/scenarios/scenario.ts'
import { toScenario } from '../../simulator/scenarios/scenario-from-file-entry.ts'
import { SCENARIO_SCHEMA } from '../../simulator/scenarios/scenario-schema.ts'

/** Two scenarios that together use every member of the schema. */
const FILE = `
scenarios:
  - name: EVERYTHING
    title: Everything that a file can say.
    clauses: ['2.7', R4, D-10]
    providers: [BLIK]
    magic: '9001'
    steps:
      initiate:
        outcome: pending
        statusInfo: { reasonCode: '-1', message: Wait }
        providerDetails:
          providerTransactionId: P-1
          redirectUrl: https://bank.example/1
          registeredAt: '2030-01-31T12:00:00Z'
          expiresAt: '2030-01-31T12:30:00.5Z'
          qrCode: scan me
      finalize: { decline: BANK_TIMEOUT }
      charge: { outcome: declined, statusInfo: { reasonCode: '1999', message: No } }
      capture: { code: '3003', fault: { kind: timeout, done: late, after: PT30S, times: 2 } }
      cancel: { fault: { kind: error } }
      refund: { outcome: accepted, later: { after: P1D, decline: REFUND_REFUSED } }
    shopper: { outcome: declined, code: { BLIK: '3002' }, after: PT1M30S, statusInfo: { reasonCode: '2999', message: Never } }
    settlement: { after: P1DT1S }
    dispute: { after: PT1H, outcome: lost, decidedAfter: P2D }
    mandate: { revokedAfter: PT0.5S }
    webhooks: [{ on: PAYMENT_CAPTURE, do: delay, after: PT2S }, { do: drop }]

  - name: OTHERWISE
    title: What is left.
    steps:
      refund: { outcome: accepted, later: { outcome: approved, after: PT2S } }
    shopper: { decline: RISK_REJECTED }
    dispute: { after: PT2S }
`

const EXPECTED: readonly Scenario[] = [
  {
    name: 'EVERYTHING',
    title: 'Everything that a file can say.',
    clauses: ['2.7', 'R4', 'D-10'],
    providers: ['BLIK'],
    magic: '9001',
    steps: {
      initiate: {
        outcome: 'pending',
        statusInfo: { reasonCode: '-1', message: 'Wait' },
        providerDetails: {
          providerTransactionId: 'P-1',
          redirectUrl: 'https://bank.example/1',
          registeredAt: Date.UTC(2030, 0, 31, 12),
          expiresAt: Date.UTC(2030, 0, 31, 12, 30, 0, 500),
          qrCode: 'scan me',
        },
      },
      finalize: {
        outcome: 'declined',
        statusInfo: { reasonCode: '8010', message: 'The bank did not answer in time' },
      },
      charge: { outcome: 'declined', statusInfo: { reasonCode: '1999', message: 'No' } },
      capture: {
        outcome: 'declined',
        code: '3003',
        fault: { kind: 'timeout', done: 'late', after: 30_000, times: 2 },
      },
      cancel: { fault: { kind: 'error', times: 1 } },
      refund: {
        outcome: 'accepted',
        later: {
          outcome: 'declined',
          after: 86_400_000,
          statusInfo: { reasonCode: '5022', message: 'The bank does not take the refund back for the payer' },
        },
      },
    },
    shopper: {
      outcome: 'declined',
      code: { BLIK: '3002' },
      after: 90_000,
      statusInfo: { reasonCode: '2999', message: 'Never' },
    },
    settlement: { after: 86_401_000 },
    dispute: { after: 3_600_000, outcome: 'lost', decidedAfter: 172_800_000 },
    mandate: { revokedAfter: 500 },
    webhooks: [{ on: 'PAYMENT_CAPTURE', do: 'delay', after: 2_000 }, { do: 'drop' }],
  },
  {
    name: 'OTHERWISE',
    title: 'What is left.',
    clauses: [],
    providers: ['BLIK', 'IRIS'],
    steps: { refund: { outcome: 'accepted', later: { outcome: 'approved', after: 2_000 } } },
    shopper: {
      outcome: 'declined',
      statusInfo: { reasonCode: '1020', message: 'The payment was rejected as too risky' },
    },
    dispute: { after: 2_000 },
  },
]

const { entries, mistakes } = parseScenarioFile('own.yaml', FILE, createCheckAgainstSchema())

test('2.7: every member of a scenario file is read', () => {
  expect(mistakes).toEqual([])
  expect(entries.map(({ entry }) => toScenario(entry))).toEqual(EXPECTED)
})

test('the example file uses every member of the schema', () => {
  const used = new Set(entries.flatMap(({ entry }) => membersOf(entry, 'scenario')))
  expect(namesIn(SCENARIO_SCHEMA.$defs.scenario, 'scenario').filter(name => !used.has(name))).toEqual([])
})

type Schema = { $ref?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }

/** Path of a member; steps share one path, since their members are the same. */
const under = (place: string, name: string) => `${place.replace(/steps\.\w+/, 'steps.any')}.${name}`

function namesIn(schema: Schema, place: string): string[] {
  const { $ref, properties = {}, items } = schema
  if ($ref) return namesIn((SCENARIO_SCHEMA.$defs as Record<string, Schema>)[$ref.replace('#/$defs/', '')] ?? {}, place)
  const own = Object.entries(properties).flatMap(([name, part]) => [
    under(place, name),
    ...namesIn(part, under(place, name)),
  ])
  return [...own, ...(items ? namesIn(items, place) : [])]
}

function membersOf(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap(item => membersOf(item, place))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, part]) => [under(place, name), ...membersOf(part, under(place, name))])
}

test.each(['2026-01-01T01:00:00+01', '2026-01-01T01:00:00+01:00', '2025-12-31T23:59:60Z'])(
  '2.7: the time %s of a scenario is read as that of a mock',
  registeredAt => {
    const entry = { name: 'A', title: 'A', steps: { initiate: { providerDetails: { registeredAt } } } }
    const { initiate } = toScenario(entry as never).steps
    const wanted = Date.UTC(2026, 0, 1) - (registeredAt.includes(':60') ? 1000 : 0)
    expect(initiate?.providerDetails?.registeredAt).toBe(wanted)
  },
)
