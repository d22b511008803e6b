import { randomInt, randomUUID } from 'node:crypto'
import type { CallParts } from '../client/call.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Alterations } from '../client/send.ts'
import type { Tier } from '../harness/check.ts'
import type { Expect } from '../harness/expect.ts'
import type { Profile } from '../harness/profile.ts'
import { Blocked, Open } from '../harness/signals.ts'
import { findField } from '../harness/slots.ts'
import { blikPayment, captureOf, finalizeOf } from './bodies.ts'
import { once, type Player } from './player.ts'

/** Preconditions that many journeys share; each comes to be once in a run, when it is first asked for. */
export type Given = {
  /** A payment to read and to leave alone. */
  payment(): Promise<string>
  /** A payment of the second organization. */
  foreignPayment(): Promise<string>
}

export const createGiven = (profile: Profile, tier: Tier, first: Player, second: () => Promise<Player>): Given => {
  const known = profile.target.knownTransactionId
  const created = async (player: Player): Promise<string> => {
    if (tier < 3) throw new Open(noPayment(profile, tier))
    return transactionIdOf(profile, await initiate(player))
  }
  return {
    payment: once(async () => known ?? created(first)),
    foreignPayment: once(async () => created(await second())),
  }
}

const noPayment = ({ file }: Profile, tier: Tier): string =>
  `a run of tier ${tier} makes no payment: add to ${file} the line target.knownTransactionId with one to read`

/** The id of a payment that never was: the one that the profile names, else one of the kind that this deployment has. */
export const unknownId = ({ ids }: Profile): string =>
  ids?.unknownTransactionId ??
  (ids?.transactionId === 'number' ? String(randomInt(2 ** 47, 2 ** 48 - 1)) : randomUUID())

/** An unknown payment: 404 (7.1). What form ids have is open (2.6), so that a 400 to one of ours may be about its form. */
export const isNotThere = (exchange: Exchange, expect: Expect, code?: string): void => {
  formIsRight(exchange, expect)
  expect.refused(exchange, { status: 404, ...(code !== undefined && { code }) })
}

/** Whether an answer to an unknown id may be about more than the form of that id. */
export const formIsRight = (exchange: Exchange, expect: Expect): void => {
  const { file, ids } = expect.profile
  if (expect.answered(exchange).status !== 400 || ids?.unknownTransactionId !== undefined) return
  const cure = `name one of no payment, of the form that ids have here, as ids.unknownTransactionId in ${file}`
  throw new Open(`the id may have another form than those of this deployment: ${cure}`, exchange)
}

/** A BLIK payment that waits for its shopper. */
export const initiate = async (
  { merchant, operator, account }: Player,
  autoCapture?: boolean,
  more: CallParts = {},
  alter?: Alterations,
): Promise<Exchange> => {
  const json = blikPayment(account, await operator.oneTimeCode(), autoCapture)
  return merchant.request('initiate', { ...more, json }, alter)
}

/** The id of a payment that came to be; without one the journey stops and says why. */
export const transactionIdOf = (profile: Profile, exchange: Exchange): string => {
  const { answer } = exchange
  if (!answer || answer.status >= 300) throw new Blocked('no payment could be initiated', exchange)
  const found = findField(profile, exchange, 'initiate.transactionId')
  if (found !== undefined) return String(found)
  throw new Open(`fields.initiate.transactionId points at nothing: correct it in ${profile.file}`, exchange)
}

/** A payment whose shopper has said yes: finalize is next. */
export const consented = async (
  profile: Profile,
  player: Player,
  autoCapture: boolean,
  alter?: Alterations,
): Promise<string> => {
  const transactionId = transactionIdOf(profile, await initiate(player, autoCapture, {}, alter))
  await player.operator.shopper(transactionId, 'approve')
  return transactionId
}

/** A payment with its authorization in hand, not captured. */
export const authorized = async (profile: Profile, player: Player, alter?: Alterations): Promise<string> => {
  const transactionId = await consented(profile, player, false, alter)
  await mustBeServed(player.merchant.request('finalize', { json: finalizeOf(player.account, transactionId) }, alter))
  return transactionId
}

/** A payment captured in full and settled, so that it can be refunded (R1). */
export const settled = async (profile: Profile, player: Player): Promise<string> => {
  const transactionId = await authorized(profile, player)
  await mustBeServed(player.merchant.request('capture', { json: captureOf(player.account, transactionId) }))
  await settle(profile, player)
  return transactionId
}

/** Lets the time pass that settlement takes (R4). */
export const settle = (profile: Profile, { operator }: Player): Promise<unknown> =>
  operator.advance(`PT${profile.settlement?.withinSeconds ?? 5}S`)

const mustBeServed = async (call: Promise<Exchange>): Promise<void> => {
  const exchange = await call
  if (!exchange.answer || exchange.answer.status >= 300)
    throw new Blocked('what this journey builds on was refused', exchange)
}
