import { type ClientRecord, type Purchase, recordResponse, type SentCall } from './client-call-record.ts'
import type { Events, SandboxClient } from './sandbox-client.ts'

/** Counts of a round of the crash test: replayed keys, and unanswered calls by whether they had been carried out. */
export type ReplayCounts = { replayed: number; unanswered: { done: number; notDone: number } }

type Proof = { shop: SandboxClient; ledger: ClientRecord; counts: ReplayCounts; problem: (sentence: string) => void }

/** HTTP statuses that are stored under a key (I3, D-22). */
const KEPT = [200, 422, 501]

/**
 * Verifies after a restart in a crash test: acknowledged facts remain, keys replay their responses, unanswered calls
 * have one effect.
 */
export const verifyAfterRestart = async (proof: Proof, from: number): Promise<void> => {
  const { shop, ledger, problem } = proof
  const now = await shop.clock()
  if (now < ledger.clock) problem(`the clock stands at ${now} and was set to ${ledger.clock}`)
  const calls = ledger.sent.slice(from)
  await each(calls, sent => proveKey(sent, proof))
  await verifyPurchases([...new Set(calls.map(({ purchase }) => purchase))], proof)
}

/**
 * Verifies that the purchases of the crash test's load hold all acknowledged facts; an unreadable one is a problem too.
 */
export const verifyPurchases = (purchases: readonly Purchase[], proof: Proof): Promise<void> =>
  each(purchases, purchase =>
    provePurchase(purchase, proof).catch(error => proof.problem(`${purchase.reference}: ${(error as Error).message}`)),
  )

/** Verifies I3: the same key gives the same response, byte for byte; an unanswered call is sent again first. */
const proveKey = async (sent: SentCall, { shop, counts, problem }: Proof): Promise<void> => {
  const { operation, purchase } = sent
  const name = `${operation} of ${purchase.reference}`
  if (!sent.seen) {
    const first = await shop.send(sent)
    counts.unanswered[first.replayed ? 'done' : 'notDone'] += 1
    recordResponse(sent, first)
    if (operation !== 'initiate') purchase.steps.shift()
    else if (first.status !== 200) purchase.steps = []
  }
  const { status = 0, text = '' } = sent.seen ?? {}
  if (!KEPT.includes(status)) return problem(`${name} was answered with ${status}: ${text}`)
  const again = await shop.send(sent)
  counts.replayed += 1
  if (again.text !== text || again.status !== status || !again.replayed)
    problem(`${name} was answered with ${status} ${text}, and again with ${again.status} ${again.text}`)
}

/** Verifies that acknowledged events, captures and refunds exist, and that a search finds exactly one payment. */
const provePurchase = async (purchase: Purchase, { shop, problem }: Proof): Promise<void> => {
  const { transactionId, reference, facts } = purchase
  const found = await shop.found(reference)
  if (found.join() !== (transactionId ?? '')) problem(`${reference} finds ${found.length} payments: ${found}`)
  if (transactionId === undefined) return
  const before = await shop.status(transactionId)
  const events = await shop.events(transactionId)
  const after = await shop.status(transactionId) // a deadline may pass in between
  if (![before.status, after.status].includes(events.status))
    problem(`${reference} is ${after.status} by its status and ${events.status} by its events`)
  const shown = shownBy(events)
  for (const fact of facts)
    if (shown.filter(one => one === fact).length === 0)
      problem(`${reference} was acknowledged as ${fact}, and that is lost`)
}

const shownBy = ({ timeline = [], paymentDetails }: Events): string[] => {
  const { captures = [], refunds = [] } = paymentDetails
  return [
    ...timeline.map(({ type }) => type),
    ...[...captures, ...refunds].map(({ transactionId = '' }) => transactionId),
  ]
}

const AT_ONCE = 8

/** Runs a function for all items with limited concurrency. */
const each = async <Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> => {
  const waiting = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of waiting) await act(item)
    }),
  )
}
