import { acknowledge, type Ledger, type Purchase, type Sent } from './ledger.ts'
import type { Events, Shop } from './shop.ts'

/** What a round counts beside its proofs. */
export type Counts = { replayed: number; unanswered: { done: number; notDone: number } }

type Proof = { shop: Shop; ledger: Ledger; counts: Counts; problem: (sentence: string) => void }

/** Answers that a key keeps (I3, D-22). */
const KEPT = [200, 422, 501]

/** After a restart: all that was told is so, every key answers as it did, and what nobody knows is done once. */
export const proveRestart = async (proof: Proof, from: number): Promise<void> => {
  const { shop, ledger, problem } = proof
  const now = await shop.clock()
  if (now < ledger.clock) problem(`the clock stands at ${now} and was told to stand at ${ledger.clock}`)
  const calls = ledger.sent.slice(from)
  await each(calls, sent => proveKey(sent, proof))
  await provePurchases([...new Set(calls.map(({ purchase }) => purchase))], proof)
}

/** Every purchase as it was told; one that cannot be read is a problem too. */
export const provePurchases = (purchases: readonly Purchase[], proof: Proof): Promise<void> =>
  each(purchases, purchase =>
    provePurchase(purchase, proof).catch(error => proof.problem(`${purchase.reference}: ${(error as Error).message}`)),
  )

/** I3: the same key brings the same answer, byte for byte; without an answer before, it has one effect from now on. */
const proveKey = async (sent: Sent, { shop, counts, problem }: Proof): Promise<void> => {
  const { operation, purchase } = sent
  const name = `${operation} of ${purchase.reference}`
  if (!sent.seen) {
    const first = await shop.send(sent)
    counts.unanswered[first.replayed ? 'done' : 'notDone'] += 1
    acknowledge(sent, first)
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

/** Every event, capture and refund that somebody was told of is there, once; a look-up finds one payment. */
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
    if (shown.filter(one => one === fact).length === 0) problem(`${reference} was told ${fact}, and that is gone`)
}

const shownBy = ({ timeline = [], paymentDetails }: Events): string[] => {
  const { captures = [], refunds = [] } = paymentDetails
  return [
    ...timeline.map(({ type }) => type),
    ...[...captures, ...refunds].map(({ transactionId = '' }) => transactionId),
  ]
}

const AT_ONCE = 8

/** Does it for all, some at a time. */
const each = async <Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> => {
  const waiting = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of waiting) await act(item)
    }),
  )
}
