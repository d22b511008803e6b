import { randomUUID } from 'node:crypto'
import type { Chance } from '../support/chance.ts'
import { acknowledge, type Keyed, type Ledger, type Purchase, type Sent, type Step } from './ledger.ts'
import { Gone, type Shop } from './shop.ts'

/** Calls that are under way at any moment. */
const WORKERS = 8

type Load = { shop: Shop; ledger: Ledger; chance: Chance; onAnswer: () => void; isOver?: () => boolean }

/** Buys, pays, captures, cancels, gives back and moves the clock, all at once, until the sandbox is gone or it is over. */
export const loadUntilGone = async (load: Load): Promise<void> => {
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
    if (gone instanceof Gone) return
    if (gone) throw gone
  }
}

/** One that was put by, or a new one. */
const taken = ({ ledger, chance }: Load): Purchase => {
  const { waiting } = ledger
  return chance.below(3) === 0 || waiting.length === 0
    ? ledger.begin(chance)
    : (waiting.splice(chance.below(waiting.length), 1)[0] as Purchase)
}

/** Lives on with a purchase until it is over or put by. */
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

type Do = (purchase: Purchase, step: Step, load: Load) => Promise<void>

const decide: Do = async (purchase, step, { shop }) => {
  const path = `payments/${purchase.transactionId}/shopper`
  const { status } = await shop.control(path, { action: step })
  if (status === 200) purchase.facts.add(step === 'approve' ? 'payment.authenticated' : 'payment.declined')
  else if (status !== 409) throw new Error(`the shopper's ${step} was answered with ${status}`)
}

const callStep: Do = (purchase, step, load) =>
  callUnderKey(step as Keyed, load.shop.act(purchase, step, amountOf(purchase, load.chance)), purchase, load)

/** A part where more of the same follows; nothing told, and so the rest, where it is the last. */
const amountOf = ({ steps, amount }: Purchase, chance: Chance): number | undefined =>
  steps[0] === steps[1] ? 1 + chance.below(Math.floor(amount / 3)) : undefined

const STEPS: Readonly<Record<Step, Do>> = {
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

const callUnderKey = async (operation: Keyed, json: object, purchase: Purchase, load: Load): Promise<void> => {
  const sent: Sent = { operation, key: randomUUID(), json, purchase }
  load.ledger.sent.push(sent)
  acknowledge(sent, await load.shop.send(sent))
  load.onAnswer()
}
