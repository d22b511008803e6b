import type { LedgerEntry, StoredLedgerEntry } from '../payments/payment.ts'
import { isoTime } from '../support/clock.ts'
import type { CsvCell } from '../support/csv.ts'

type Column = readonly [header: string, cell: (entry: StoredLedgerEntry) => CsvCell]
type ReportDefinition = { covers: readonly LedgerEntry['kind'][]; columns: readonly Column[] }

/** Fictitious fee of the sandbox: 1.2 % of a capture plus 25 minor units (D-76). */
const SANDBOX_FEE = { perThousand: 12, fixed: 25, rule: 'SANDBOX 1.2 % + 25' } as const

/** Calculates the sandbox fee of a captured amount, in minor units; half a unit of the percentage is rounded up. */
export const calculateSandboxFee = (captured: number): number =>
  Math.floor((captured * SANDBOX_FEE.perThousand + 500) / 1000) + SANDBOX_FEE.fixed

/** Returns the signed amount of a ledger entry in minor units: refunds are negative. */
const signedAmount = ({ kind, amount }: StoredLedgerEntry): number => (kind === 'refund' ? -amount : amount)
const fee = ({ kind, amount }: StoredLedgerEntry): number => (kind === 'refund' ? 0 : calculateSandboxFee(amount))

const TIME: Column = ['timestamp', ({ at }) => isoTime(at)]
const KIND: Column = ['type', ({ kind }) => kind.toUpperCase()]
const NAMES: readonly Column[] = [
  ['transactionId', ({ captureOrRefundId }) => captureOrRefundId],
  ['clientTransactionId', ({ clientTransactionId }) => clientTransactionId],
  ['originalTransactionId', ({ transactionId }) => transactionId],
  ['originalClientTransactionId', ({ reference }) => reference],
  ['providerId', ({ providerId }) => providerId],
]
const CURRENCY: Column = ['currency', ({ currency }) => currency]

/** Report types: the kinds of ledger entries that each covers, and its columns (4, D-75); amounts in minor units. */
export const REPORT_TYPES = {
  TRANSACTION_DETAILS: {
    covers: ['capture', 'refund'],
    columns: [TIME, KIND, ...NAMES, ['amount', signedAmount], CURRENCY],
  },
  SETTLEMENT: {
    covers: ['settlement', 'refund'],
    columns: [
      TIME,
      KIND,
      ...NAMES,
      ['grossAmount', signedAmount],
      ['feeAmount', fee],
      ['netAmount', entry => signedAmount(entry) - fee(entry)],
      CURRENCY,
    ],
  },
  FEE_DETAILS: {
    covers: ['capture'],
    columns: [
      TIME,
      ...NAMES,
      ['amount', signedAmount],
      ['feeRule', () => SANDBOX_FEE.rule],
      ['feeAmount', fee],
      CURRENCY,
    ],
  },
} as const satisfies Record<string, ReportDefinition>

export type ReportType = keyof typeof REPORT_TYPES
