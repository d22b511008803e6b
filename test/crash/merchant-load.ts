import { randomUUID } from 'node:crypto'
import type { SeededRandom } from '../support/seeded-random.ts'
import {
  type ClientRecord,
  type KeyedOperation,
  type Purchase,
  type PurchaseStep,
  recordResponse,
  type SentCall,
} from './client-call-record.ts'
import { type SandboxClient, SandboxGone } from './sandbox-client.ts'

/** Number of concurrent workers. */
const WORKERS = 8

type Load = {
  shop: SandboxClient
  ledger: ClientRecord
  chance: SeededRandom
  onAnswer: () => void
  isOver?: () => boolean
}

/**
 * Loads the sandbox of a crash test with concurrent purchases, captures, cancels, refunds and clock jumps until it is
 * gone or `isOver` is true.
 */
export const runLoadUntilGone = async (load: Load): Promise<void> => {
  await Promise.all(Array.from({ length: WORKERS }, () => work(load)))
}

const work = async (load: Load): Promise<void> => {
  while (!load.isOver?.()) {
    const purchase = taken(load)
    const gone = await goOn(purchase, load).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (purchase.steps.length > 0 || purchase.transactionId === undefined) load.ledger.waiting.push(purchase)
    if (gone instanceof SandboxGone) return
    if (gone) throw gone
  }
}

/** Takes an unfinished purchase or begins a new one. */
const taken = ({ ledger, chance }: Load): Purchase => {
  const { waiting } = ledger
  return chance.below(3) === 0 || waiting.length === 0
    ? ledger.begin(chance)
    : (waiting.splice(chance.below(waiting.length), 1)[0] as Purchase)
}

/** Continues a purchase until it is finished or set aside. */
const goOn = async (purchase: Purchase, load: Load): Promise<void> => {
  const { shop, ledger, chance, onAnswer } = load
  if (purchase.transactionId === undefined) {
    const json = await shop.initiate(purchase, !purchase.autoCapture || chance.below(2) === 0) // IRIS captures by itself
    await callUnderKey('initiate', json, purchase, load)
    if (purchase.transactionId === undefined) purchase.steps = []
  }
  for (let [step] = purchase.steps; step; [step] = purchase.steps) {
    await STEPS[step](purchase, step, load)
    if (chance.below(50) === 0) ledger.clock = Math.max(ledger.clock, await shop.clock('PT3M'))
    purchase.steps.shift()
    onAnswer()
    if (chance.below(4) === 0) return
  }
}

type Do = (purchase: Purchase, step: PurchaseStep, load: Load) => Promise<void>

const decide: Do = async (purchase, step, { shop }) => {
  const path = `payments/${purchase.transactionId}/shopper`
  const { status } = await shop.control(path, { action: step })
  if (status === 200) purchase.facts.add(step === 'approve' ? 'payment.authenticated' : 'payment.declined')
  else if (status !== 409) throw new Error(`the shopper's ${step} was answered with ${status}`)
}

const callStep: Do = (purchase, step, load) =>
  callUnderKey(step as KeyedOperation, load.shop.act(purchase, step, amountOf(purchase, load.chance)), purchase, load)

/** A part where more of the same follows; undefined, and so the rest, where it is the last. */
const amountOf = ({ steps, amount }: Purchase, chance: SeededRandom): number | undefined =>
  steps[0] === steps[1] ? 1 + chance.below(Math.floor(amount / 3)) : undefined

const STEPS: Readonly<Record<PurchaseStep, Do>> = {
  approve: decide,
  decline: decide,
  finalize: callStep,
  capture: callStep,
  cancel: callStep,
  refund: callStep,
  settle: async (_purchase, _step, { shop, ledger }) => {
    ledger.clock = Math.max(ledger.clock, await shop.clock('PT3S'))
  },
}

const callUnderKey = async (operation: KeyedOperation, json: object, purchase: Purchase, load: Load): Promise<void> => {
  const sent: SentCall = { operation, key: randomUUID(), json, purchase }
  load.ledger.sent.push(sent)
  recordResponse(sent, await load.shop.send(sent))
  load.onAnswer()
}
