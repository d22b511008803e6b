import { expect } from 'vitest'
import { type Core, SHOP, type Told } from '../support/core.ts'
import { answer, type Call, type Code, holds, type Keyed, newShop } from './shop-model.ts'

/** A running simulator with the model beside it, and what was sent so far. */
export type Journey = ReturnType<typeof newJourney>
/** What a step was answered, what the model says, and which payment it may change. */
export type Taken = { http: number; expected: number; target?: string | undefined; replayed?: boolean }

export const newJourney = (core: Core) => ({ core, shop: newShop(), keyed: [] as Keyed[], codes: [] as Code[] })
export const nowIn = ({ core }: Journey): number => core.clock.now(SHOP)

/** Sends a call under its key; the second time around the answer must be the first one's. */
export const send = async (journey: Journey, keyed: Keyed): Promise<Taken> => {
  const { core, shop } = journey
  const known = holds(keyed, nowIn(journey))
  const expected = answer(shop, keyed, nowIn(journey))
  const { operation } = keyed.call
  const told = await core.call(operation, keyed.request, { key: keyed.key })
  expect(told.replayed).toBe(known)
  if (known) expect(told.text).toBe(keyed.remembers?.text ?? told.text)
  if (keyed.remembers && (known || told.http === keyed.remembers.http)) keyed.remembers.text = told.text
  return { http: told.http, expected, replayed: known, target: known ? undefined : targetOf(keyed, told) }
}

/** The payment that a call may change: none, where it is refused. */
const targetOf = ({ call, remembers }: Keyed, { http }: Told): string | undefined => {
  const done = http === 200 || (http === 504 && remembers)
  return done ? ('on' in call ? call.on.name : call.name) : undefined
}

export const sendNew = (journey: Journey, call: Call, request: object): Promise<Taken> => {
  const keyed = { key: `key ${journey.keyed.length}`, call, request: { ...request, clientTransactionId: call.name } }
  journey.keyed.push(keyed)
  return send(journey, keyed)
}
