import { startsPayment } from '../../operations.ts'
import type { WriteCall } from './parse-write-call.ts'
import { type WriteLedgerLine, writeLedgerEntries } from './write-ledger.ts'

export type SpentTotals = { writes: number; payments: number; amounts: Readonly<Record<string, number>> }

/** Adds up the writes, payments and amounts above zero in a write ledger; a write without a response counts as carried out. */
export const totalSpent = (lines: readonly WriteLedgerLine[]): SpentTotals => {
  const writes = writeLedgerEntries(lines).filter((entry): entry is typeof entry & WriteCall => !('id' in entry))
  const paying = writes.filter(({ operation }) => startsPayment(operation))
  const amounts: Record<string, number> = {}
  for (const { currency = '?', amount = 0 } of paying)
    amounts[currency] = (amounts[currency] ?? 0) + Math.max(0, amount)
  return { writes: writes.length, payments: paying.length, amounts }
}

/** Formats the amounts spent as texts such as `1000 PLN`, one for each currency; leaves out zero. */
export const formatAmounts = ({ amounts }: SpentTotals): string[] =>
  Object.entries(amounts)
    .filter(([, amount]) => amount > 0)
    .map(([currency, amount]) => `${amount} ${currency}`)
