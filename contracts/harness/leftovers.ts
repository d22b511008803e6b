import { entriesOf, type LedgerLine } from './ledger.ts'
import { PAYING, type Write } from './writes.ts'

/** How far a payment of ours got, as far as the ledger tells. */
export type Left = {
  organization: string
  transactionId: string
  stage: 'begun' | 'authorized' | 'captured' | 'canceled' | 'refunded' | 'ended'
}

export type Spent = { writes: number; payments: number; amounts: Readonly<Record<string, number>> }

/** What a run left behind, told by its ledger alone. */
export const leftovers = (lines: readonly LedgerLine[]) => {
  const entries = entriesOf(lines)
  const served = entries.filter(({ became }) => isServed(became?.status))
  const payments = new Map<string, Left>()
  const automatic = new Set<string>()
  for (const entry of served) {
    const transactionId = entry.became?.transactionId ?? ('transactionId' in entry ? entry.transactionId : undefined)
    if (transactionId === undefined) continue
    if (PAYING.includes(entry.operation) && (entry as Write).autoCapture !== false) automatic.add(transactionId)
    const stage = stageAfter(entry.operation, automatic.has(transactionId))
    const known = payments.get(transactionId)
    if (stage)
      payments.set(transactionId, { organization: known?.organization ?? entry.organization, transactionId, stage })
  }
  for (const { operation, became, ...entry } of entries) {
    const known = 'transactionId' in entry ? payments.get(entry.transactionId ?? '') : undefined
    if (known?.stage === 'authorized' && operation === 'cancel' && became?.status === 422) known.stage = 'ended'
  }
  const undone = (operation: string) =>
    entries.flatMap(entry =>
      entry.operation === operation && 'id' in entry && !entry.became?.undone
        ? [{ organization: entry.organization, id: entry.id }]
        : [],
    )
  return {
    payments: [...payments.values()],
    /** Writes of which nobody knows whether they were carried out. */
    unknown: entries.filter(entry => !('id' in entry) && entry.became?.status === undefined),
    mocks: served.filter(({ operation }) => operation === 'mockSet').length,
    keys: undone('registerKey'),
    webhooks: undone('subscribe'),
  }
}

export type Leftovers = ReturnType<typeof leftovers>

/** What was written in all, whatever became of it: the worse reading is that all of it was carried out. */
export const spent = (lines: readonly LedgerLine[]): Spent => {
  const writes = entriesOf(lines).filter((entry): entry is typeof entry & Write => !('id' in entry))
  const paying = writes.filter(({ operation }) => PAYING.includes(operation))
  const amounts: Record<string, number> = {}
  for (const { currency = '?', amount = 0 } of paying) amounts[currency] = (amounts[currency] ?? 0) + amount
  return { writes: writes.length, payments: paying.length, amounts }
}

/** The sums in words, one for each currency; what was sent without an amount moves nothing. */
export const sumsOf = ({ amounts }: Spent): string[] =>
  Object.entries(amounts)
    .filter(([, amount]) => amount > 0)
    .map(([currency, amount]) => `${amount} ${currency}`)

const isServed = (status = 0): boolean => status >= 200 && status < 300

const stageAfter = (operation: string, automatic: boolean): Left['stage'] | undefined => {
  switch (operation) {
    case 'initiate':
      return 'begun'
    case 'charge':
    case 'finalize':
      return automatic ? 'captured' : 'authorized'
    case 'capture':
      return 'captured'
    case 'cancel':
      return 'canceled'
    case 'refund':
      return 'refunded'
    default:
      return undefined
  }
}
