import type { Chance } from '../support/chance.ts'

/** What a shop does with one payment, one after the other. */
export type Step = 'approve' | 'decline' | 'finalize' | 'capture' | 'cancel' | 'refund' | 'settle'
export type Keyed = 'initiate' | 'finalize' | 'capture' | 'cancel' | 'refund'

export type Seen = { status: number; text: string }

/** One call under a key: what was sent, and the answer, if one came. */
export type Sent = { operation: Keyed; key: string; json: object; purchase: Purchase; seen?: Seen }

/** One payment as its shop knows it. */
export type Purchase = {
  reference: string
  amount: number
  autoCapture: boolean
  steps: Step[]
  transactionId?: string
  /** Types of events, and ids of captures and refunds, that somebody was told of: never to be gone again. */
  facts: Set<string>
}

/** All that was told to the outside, and all that waits to be told. */
export const createLedger = () => {
  const sent: Sent[] = []
  const purchases: Purchase[] = []
  const waiting: Purchase[] = []
  return {
    sent,
    purchases,
    /** Purchases that nobody works on and that are not over. */
    waiting,
    /** The organization's time that was told last, epoch milliseconds. */
    clock: 0,
    begin: (chance: Chance): Purchase => {
      const autoCapture = chance.below(3) === 0
      const purchase = {
        reference: `order-${purchases.length + 1}`,
        amount: 1_000 + chance.below(9_000),
        autoCapture,
        steps: [...chance.pick(autoCapture ? AUTOMATIC : LIVES)],
        facts: new Set<string>(),
      }
      purchases.push(purchase)
      return purchase
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>

const LIVES: readonly (readonly Step[])[] = [
  ['approve', 'finalize', 'capture', 'settle', 'refund'],
  ['approve', 'finalize', 'capture', 'capture', 'settle', 'refund', 'refund'],
  ['approve', 'finalize', 'capture', 'capture', 'capture'],
  ['approve', 'finalize', 'cancel'],
  ['decline', 'finalize'],
  ['approve'],
  [],
]
const AUTOMATIC: readonly (readonly Step[])[] = [
  ['approve', 'finalize', 'settle', 'refund'],
  ['approve', 'finalize', 'settle', 'refund', 'refund'],
  ['approve', 'finalize'],
]

type Body = { transactionId?: string; status?: string }

/** Takes note of an answer, and of all that it says for ever. */
export const acknowledge = (sent: Sent, seen: Seen): void => {
  sent.seen = seen
  if (seen.status !== 200) return
  const { operation, purchase } = sent
  const { transactionId = '', status = '' } = JSON.parse(seen.text) as Body
  if (operation === 'initiate') {
    purchase.transactionId = transactionId
    purchase.facts.add(status === 'PENDING' ? 'payment.initiated' : 'payment.declined')
  }
  if (operation === 'capture' || operation === 'refund') purchase.facts.add(transactionId)
  if (operation === 'finalize' && status === 'APPROVED') purchase.facts.add('payment.authorized')
  if (operation === 'cancel') purchase.facts.add('payment.canceled')
}
