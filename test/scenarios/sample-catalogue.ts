import type { Scenario } from '../../simulator/scenarios/scenario.ts'
import { createScenarioCatalogue } from '../../simulator/scenarios/scenario-catalogue.ts'

const BOTH = ['BLIK', 'IRIS'] as const
const base = { clauses: ['2.7'], providers: BOTH, steps: {} }
const POOR = { reasonCode: '1001', message: 'Insufficient funds' }
const SCRIPTED = { reasonCode: '-1', message: 'Scripted' }
const DETAILS = { providerTransactionId: 'P-1', redirectUrl: 'https://bank.example/pay' }

/** Sample payment scenarios for tests, independent of the built-in ones. */
const SCENARIOS: readonly Scenario[] = [
  { ...base, name: 'OK', title: 'Everything works', magic: '0000' },
  {
    ...base,
    name: 'DETAILED',
    title: 'Details of its own',
    magic: '0002',
    steps: {
      initiate: { outcome: 'accepted', statusInfo: SCRIPTED, providerDetails: DETAILS },
      finalize: { outcome: 'approved', statusInfo: SCRIPTED, providerDetails: DETAILS },
    },
  },
  {
    ...base,
    name: 'POOR',
    title: 'Too little money',
    magic: '0100',
    shopper: { outcome: 'declined', statusInfo: POOR },
    steps: { charge: { outcome: 'declined', statusInfo: POOR } },
  },
  { ...base, name: 'ABSENT', title: 'Nobody decides', magic: '0200', shopper: { outcome: 'lapsed' } },
  {
    ...base,
    name: 'SLOW_BANK',
    title: 'A bank that takes 20 seconds',
    magic: '0201',
    shopper: { outcome: 'approved', after: 20_000 },
  },
  {
    ...base,
    name: 'BLIK_ONLY',
    title: 'A bad code',
    providers: ['BLIK'],
    magic: '0300',
    steps: { initiate: { outcome: 'declined', code: '3001' } },
  },
  { ...base, name: 'LATE', title: 'Settled after three days', magic: '0600', settlement: { after: 259_200_000 } },
  {
    ...base,
    name: 'REFUND_FAILS',
    title: 'A refund that is taken on and fails',
    magic: '0601',
    steps: {
      refund: {
        outcome: 'accepted',
        later: { outcome: 'declined', after: 60_000, statusInfo: { reasonCode: '8004', message: 'Failed' } },
      },
    },
  },
  {
    ...base,
    name: 'REFUND_LATER',
    title: 'A refund that takes a minute',
    magic: '0602',
    steps: { refund: { outcome: 'accepted', later: { outcome: 'approved', after: 60_000 } } },
  },
  {
    ...base,
    name: 'DISPUTE_LOST',
    title: 'A dispute that is lost',
    magic: '0603',
    dispute: { after: 86_400_000, outcome: 'lost', decidedAfter: 86_400_000 },
  },
  {
    ...base,
    name: 'DISPUTE_WON',
    title: 'A dispute that is won',
    magic: '0604',
    dispute: { after: 86_400_000, outcome: 'won', decidedAfter: 86_400_000 },
  },
  {
    ...base,
    name: 'REVOKED',
    title: 'A consent that is taken back',
    magic: '0500',
    mandate: { revokedAfter: 3_600_000 },
  },
  {
    ...base,
    name: 'CHARGE_FAILS',
    title: 'A later charge that is declined',
    magic: '0505',
    steps: { charge: { outcome: 'declined', statusInfo: POOR } },
  },
  {
    ...base,
    name: 'CHARGE_SILENT',
    title: 'A later charge that times out, not done',
    magic: '1310',
    steps: { charge: { fault: { kind: 'timeout', done: 'no', times: 1 } } },
  },
  {
    ...base,
    name: 'CAPTURE_SILENT',
    title: 'A capture that times out, done',
    magic: '1410',
    steps: { capture: { fault: { kind: 'timeout', done: 'yes', times: 1 } } },
  },
  {
    ...base,
    name: 'INITIATE_LOCKED',
    title: 'Locked twice',
    magic: '1130',
    steps: { initiate: { fault: { kind: 'locked', times: 2 } } },
  },
]

export const SAMPLE_CATALOGUE = createScenarioCatalogue(SCENARIOS)
