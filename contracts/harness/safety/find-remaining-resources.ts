import { isSuccess } from '../../client/http-exchange.ts'
import { startsPayment } from '../../operations.ts'
import type { WriteCall } from './parse-write-call.ts'
import { type WriteLedgerLine, writeLedgerEntries } from './write-ledger.ts'

/** Stages of a payment, in order: a replay of an earlier call takes none back. */
const STAGES = ['begun', 'perhaps authorized', 'authorized', 'captured', 'canceled', 'refunded', 'ended'] as const
type Stage = (typeof STAGES)[number]

/** A payment that a run created, and the last stage that the ledger shows. */
type RemainingPayment = { organization: string; transactionId: string; stage: Stage }

type Entry = ReturnType<typeof writeLedgerEntries>[number]
type Write = Entry & WriteCall

/** Finds the payments, mocks, signing keys and webhooks that a run left behind, from its write ledger alone. */
export const findRemainingResources = (lines: readonly WriteLedgerLine[]) => {
  const entries = writeLedgerEntries(lines)
  const served = entries.filter(({ became }) => isSuccess(became?.status))
  const stillRegistered = (operation: string) =>
    entries.flatMap(entry =>
      entry.operation === operation && 'id' in entry && !entry.became?.undone
        ? [{ organization: entry.organization, id: entry.id }]
        : [],
    )
  const writes = entries.filter((entry): entry is Write => !('id' in entry))
  const nameless = writes.filter(entry => isNameless(entry, writes))
  return {
    payments: followPayments(entries, lines),
    /** Charges whose payment may be authorized, under an id that is not known. */
    nameless,
    /** Writes without a response, or with one of 5xx: whether they were carried out is unknown. */
    unknown: writes.filter(entry => isUnsure(entry) && !nameless.includes(entry)),
    mocks: served.filter(({ operation }) => operation === 'mockSet').length,
    keys: stillRegistered('registerKey'),
    webhooks: stillRegistered('subscribe'),
  }
}

export type RemainingResources = ReturnType<typeof findRemainingResources>

/** Whether a payment of this stage has to be canceled: it is, or may be, authorized and no more. */
export const isToCancel = ({ stage }: Pick<RemainingPayment, 'stage'>): boolean =>
  stage === 'authorized' || stage === 'perhaps authorized'

const followPayments = (entries: readonly Entry[], lines: readonly WriteLedgerLine[]): RemainingPayment[] => {
  const places = new Map(lines.map((line, place) => ['of' in line ? line : line.line, place]))
  const payments = new Map<string, RemainingPayment>()
  const automatic = new Set<string>()
  const authorizedAt = new Map<string, number | undefined>()
  for (const entry of entries) {
    const transactionId = entry.became?.transactionId ?? ('transactionId' in entry ? entry.transactionId : undefined)
    if (transactionId === undefined) continue
    if (startsPayment(entry.operation) && (entry as WriteCall).autoCapture) automatic.add(transactionId)
    const { organization, stage: known } = payments.get(transactionId) ?? { ...entry, stage: undefined }
    const isLater = (authorizedAt.get(transactionId) ?? lines.length) < (places.get(entry.line) ?? 0)
    const stage = stageAfter(entry, automatic.has(transactionId), known, isLater)
    if (!stage || STAGES.indexOf(stage) <= STAGES.indexOf(known as Stage)) continue
    payments.set(transactionId, { organization, transactionId, stage })
    if (stage === 'authorized') authorizedAt.set(transactionId, entry.became && places.get(entry.became))
  }
  return [...payments.values()]
}

/** Whether a write may have been carried out, though it was not served; 501 refuses what is not supported (7.1). */
export const isUnsure = ({ became }: Pick<Entry, 'became'>): boolean =>
  became?.status === undefined || (became.status >= 500 && became.status !== 501)

/** Whether a charge may have authorized a payment that no response names, also none to the same key. */
const isNameless = (entry: Write, writes: readonly Write[]): boolean => {
  const { operation, autoCapture, became, key, organization } = entry
  if (operation !== 'charge' || autoCapture || !(isUnsure(entry) || isSuccess(became?.status))) return false
  const same = writes.filter(
    other => other === entry || (key !== undefined && other.key === key && other.organization === organization),
  )
  return !same.some(({ became }) => became?.transactionId !== undefined || became?.declined)
}

/** The stage of a payment after a write; `isLater` where it was sent after the payment had been told to be authorized. */
const stageAfter = (
  entry: Entry,
  automatic: boolean,
  known: Stage | undefined,
  isLater: boolean,
): Stage | undefined => {
  const { operation, became } = entry
  if (became?.declined) return undefined
  if (isSuccess(became?.status)) return stageServed(operation, automatic)
  if (operation === 'cancel' && became?.status === 422 && known === 'authorized' && isLater) return 'ended'
  const authorizes = operation === 'charge' || (operation === 'finalize' && known !== undefined)
  return isUnsure(entry) && authorizes && !automatic ? 'perhaps authorized' : undefined
}

const stageServed = (operation: string, automatic: boolean): Stage | undefined => {
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
