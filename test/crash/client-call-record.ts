import type { SeededRandom } from '../support/seeded-random.ts'

/** A step of a purchase of the crash test's load, after its initiate call. */
export type PurchaseStep = 'approve' | 'decline' | 'finalize' | 'capture' | 'cancel' | 'refund' | 'settle'
export type KeyedOperation = 'initiate' | 'finalize' | 'capture' | 'cancel' | 'refund'

export type ReceivedResponse = { status: number; text: string }

/** One call of the crash test's load under an Idempotency-Key, with its response if one arrived. */
export type SentCall = {
  operation: KeyedOperation
  key: string
  json: object
  purchase: Purchase
  seen?: ReceivedResponse
}

/** One payment of the crash test's load as its merchant knows it. */
export type Purchase = {
  reference: string
  amount: number
  autoCapture: boolean
  steps: PurchaseStep[]
  transactionId?: string
  /** Event types and ids of captures and refunds in acknowledged responses; they must never be lost. */
  facts: Set<string>
}

/** Creates a record of all calls, responses and purchases of the crash test's load, for comparison after a restart. */
export const createClientRecord = () => {
  const sent: SentCall[] = []
  const purchases: Purchase[] = []
  const waiting: Purchase[] = []
  return {
    sent,
    purchases,
    /** Unfinished purchases that no worker holds. */
    waiting,
    /** The latest acknowledged organization time, epoch milliseconds. */
    clock: 0,
    begin: (chance: SeededRandom): Purchase => {
      const autoCapture = chance.below(3) === 0
      const purchase = {
        reference: `order-${purchases.length + 1}`,
        amount: 1_000 + chance.below(9_000),
        autoCapture,
        steps: [...chance.pick(autoCapture ? AUTOMATIC : MANUAL)],
        facts: new Set<string>(),
      }
      purchases.push(purchase)
      return purchase
    },
  }
}

export type ClientRecord = ReturnType<typeof createClientRecord>

const MANUAL: readonly (readonly PurchaseStep[])[] = [
  ['approve', 'finalize', 'capture', 'settle', 'refund'],
  ['approve', 'finalize', 'capture', 'capture', 'settle', 'refund', 'refund'],
  ['approve', 'finalize', 'capture', 'capture', 'capture'],
  ['approve', 'finalize', 'cancel'],
  ['decline', 'finalize'],
  ['approve'],
  [],
]
const AUTOMATIC: readonly (readonly PurchaseStep[])[] = [
  ['approve', 'finalize', 'settle', 'refund'],
  ['approve', 'finalize', 'settle', 'refund', 'refund'],
  ['approve', 'finalize'],
]

type Body = { transactionId?: string; status?: string }

/** Records a response of the crash test's load and the facts that it acknowledges. */
export const recordResponse = (sent: SentCall, seen: ReceivedResponse): void => {
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
