import { isoTime } from '../clock.ts'
import type { BookedPosting, Posting } from '../payments/payment.ts'
import type { Cell } from './csv.ts'
import { SANDBOX_FEE, sandboxFee } from './sandbox-fee.ts'

type Column = readonly [header: string, cell: (posting: BookedPosting) => Cell]
type ReportRow = { covers: readonly Posting['kind'][]; columns: readonly Column[] }

/** Money that comes in counts up, money that goes back counts down. */
const signed = ({ kind, amount }: BookedPosting): number => (kind === 'refund' ? -amount : amount)
const fee = ({ kind, amount }: BookedPosting): number => (kind === 'refund' ? 0 : sandboxFee(amount))

const TIME: Column = ['timestamp', ({ at }) => isoTime(at)]
const KIND: Column = ['type', ({ kind }) => kind.toUpperCase()]
const NAMES: readonly Column[] = [
  ['transactionId', ({ movementId }) => movementId],
  ['clientTransactionId', ({ clientTransactionId }) => clientTransactionId],
  ['originalTransactionId', ({ transactionId }) => transactionId],
  ['originalClientTransactionId', ({ reference }) => reference],
  ['providerId', ({ providerId }) => providerId],
]
const CURRENCY: Column = ['currency', ({ currency }) => currency]

/** The reports that are made, what each is about, and its columns (4, D-75); amounts in minor units. */
export const REPORT_TYPES = {
  TRANSACTION_DETAILS: {
    covers: ['capture', 'refund'],
    columns: [TIME, KIND, ...NAMES, ['amount', signed], CURRENCY],
  },
  SETTLEMENT: {
    covers: ['settlement', 'refund'],
    columns: [
      TIME,
      KIND,
      ...NAMES,
      ['grossAmount', signed],
      ['feeAmount', fee],
      ['netAmount', posting => signed(posting) - fee(posting)],
      CURRENCY,
    ],
  },
  FEE_DETAILS: {
    covers: ['capture'],
    columns: [TIME, ...NAMES, ['amount', signed], ['feeRule', () => SANDBOX_FEE.rule], ['feeAmount', fee], CURRENCY],
  },
} as const satisfies Record<string, ReportRow>

export type ReportType = keyof typeof REPORT_TYPES
