import { isJsonObject, type JsonObject } from '../protocol/canonical-json.ts'
import type { DialectLines } from './dialect-lines.ts'
import { createStateWords } from './state-words.ts'

/** The status of each state that a status alone leaves open or names otherwise (D-05); every other is APPROVED. */
const STATUS_OF_STATE: Readonly<Record<string, string>> = {
  AWAITING_SHOPPER: 'PENDING',
  AUTHENTICATED: 'ACCEPTED',
  DECLINED: 'DECLINED',
  EXPIRED: 'DECLINED',
  CANCELED: 'CANCELED',
}

/** The state that a status stands for where a message does not tell the state. */
const STATE_OF_STATUS: Readonly<Record<string, string>> = {
  PENDING: 'AWAITING_SHOPPER',
  ACCEPTED: 'AUTHENTICATED',
  APPROVED: 'AUTHORIZED',
  DECLINED: 'DECLINED',
  CANCELED: 'CANCELED',
}

/** Whether a deployment has one word in the place of status and state: initiate tells it where status tells the state. */
export const tellsStateAsStatus = ({ fields }: Pick<DialectLines, 'fields'>): boolean =>
  fields?.initiate?.status !== undefined && fields.initiate.status === fields.status?.state

/** Returns the status that a word of `states` stands for where a deployment tells the state in its place; else the word. */
export const statusOfWord = (lines: DialectLines, word: unknown): unknown => {
  if (!tellsStateAsStatus(lines)) return word
  return STATUS_OF_STATE[String(createStateWords(lines)?.read(word))] ?? word
}

/**
 * Replaces the status in a payment message by its lifecycle state; a declined one has the state DECLINED, whatever the
 * payment's state, unless that is EXPIRED.
 */
export const statusToState = ({ status, ...message }: JsonObject): JsonObject => {
  const lifecycle = isJsonObject(message.lifecycle) ? message.lifecycle : {}
  const isDeclined = status === 'DECLINED' && lifecycle.state !== 'EXPIRED'
  const state = isDeclined ? 'DECLINED' : (lifecycle.state ?? STATE_OF_STATUS[String(status)])
  return state === undefined ? message : { ...message, lifecycle: { ...lifecycle, state } }
}

/** Returns a message with the payment status that its `lifecycle.state` stands for; unchanged if it has no state. */
export const stateToStatus = (message: JsonObject): JsonObject => {
  const { state } = isJsonObject(message.lifecycle) ? message.lifecycle : {}
  return typeof state === 'string' ? { ...message, status: STATUS_OF_STATE[state] ?? 'APPROVED' } : message
}
