import { isSuccess } from '../../client/http-exchange.ts'
import { startsPayment } from '../../operations.ts'
import type { WriteCall } from './parse-write-call.ts'
import { type WriteLedgerLine, writeLedgerEntries } from './write-ledger.ts'

/** A payment that a run created, and the last stage that the ledger shows. */
type RemainingPayment = {
  organization: string
  transactionId: string
  stage: 'begun' | 'authorized' | 'captured' | 'canceled' | 'refunded' | 'ended'
}

/** Finds the payments, mocks, signing keys and webhooks that a run left behind, from its write ledger alone. */
export const findRemainingResources = (lines: readonly WriteLedgerLine[]) => {
  const entries = writeLedgerEntries(lines)
  const served = entries.filter(({ became }) => isSuccess(became?.status))
  const payments = new Map<string, RemainingPayment>()
  const automatic = new Set<string>()
  for (const entry of served) {
    const transactionId = entry.became?.transactionId ?? ('transactionId' in entry ? entry.transactionId : undefined)
    if (transactionId === undefined) continue
    if (startsPayment(entry.operation) && (entry as WriteCall).autoCapture !== false) automatic.add(transactionId)
    const stage = stageAfter(entry.operation, automatic.has(transactionId))
    const known = payments.get(transactionId)
    if (stage)
      payments.set(transactionId, { organization: known?.organization ?? entry.organization, transactionId, stage })
  }
  for (const { operation, became, ...entry } of entries) {
    const known = 'transactionId' in entry ? payments.get(entry.transactionId ?? '') : undefined
    if (known?.stage === 'authorized' && operation === 'cancel' && became?.status === 422) known.stage = 'ended'
  }
  const stillRegistered = (operation: string) =>
    entries.flatMap(entry =>
      entry.operation === operation && 'id' in entry && !entry.became?.undone
        ? [{ organization: entry.organization, id: entry.id }]
        : [],
    )
  return {
    payments: [...payments.values()],
    /** Writes without a response: whether they were carried out is unknown. */
    unknown: entries.filter(entry => !('id' in entry) && entry.became?.status === undefined),
    mocks: served.filter(({ operation }) => operation === 'mockSet').length,
    keys: stillRegistered('registerKey'),
    webhooks: stillRegistered('subscribe'),
  }
}

export type RemainingResources = ReturnType<typeof findRemainingResources>

const stageAfter = (operation: string, automatic: boolean): RemainingPayment['stage'] | undefined => {
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
