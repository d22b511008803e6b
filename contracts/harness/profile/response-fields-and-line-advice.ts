import { describeExchange, type Exchange, responseJson } from '../../client/http-exchange.ts'
import { choiceOf } from '../../dialect/decision-choices.ts'
import { memberOf, pointerSegments, valueAtPointer } from '../../dialect/json-pointer.ts'
import { readHeaders, signatureHeaderNames } from '../../dialect/rename-signature-headers.ts'
import { statusOfWord } from '../../dialect/status-as-state.ts'
import { startsPayment } from '../../operations.ts'
import { Untestable } from '../judge/verdict-errors.ts'
import { type Ability, beyondPatience, isAbility, missingAbility } from './abilities-from-profile-lines.ts'
import { abilityCapability, deniedAbility } from './capabilities-that-checks-need.ts'
import type { Profile } from './profile.ts'
import { profileExample } from './profile-validation.ts'

/** Returns the value at a dotted path of the profile, such as `errors.reasonCode`. */
export const profileLine = (profile: Profile, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], profile)

/** Advice on a profile line that is missing or wrong: its dotted path, and a sentence that says how to cure it. */
export type LineAdvice = { line: string; reason: string }

/** Returns why a profile excludes a need: the deployment lacks an ability and the profile says so; else undefined. */
export const lackedAbilityReason = (profile: Profile, needs: readonly string[]): string | undefined => {
  const lacked = needs
    .filter(isAbility)
    .flatMap(need => (missingAbility(profile, need) ? (deniedAbility(profile, need) ?? []) : []))
  return lacked[0] && `${profile.file} says capabilities.${lacked[0]}: false`
}

/** Returns, as a sentence, which of a check's needs waits longer than the profile's `patience`; undefined if none does, or none is set. */
export const longWaitReason = (profile: Profile, needs: readonly string[]): string | undefined =>
  needs
    .filter(isAbility)
    .map(need => beyondPatience(profile, need))
    .find(reason => reason !== undefined)

/** Returns advice for the first need that the profile leaves open: a line, or a driver of an ability; else undefined. */
export const missingLineAdvice = (profile: Profile, needs: readonly string[]): LineAdvice | undefined => {
  const { secondOrganization } = profile
  const isCreated = secondOrganization !== undefined && 'create' in secondOrganization
  const all = needs.flatMap(need => (need === 'secondOrganization' && isCreated ? [need, 'control.url'] : need))
  const advice = all.map(need => (isAbility(need) ? driverAdvice(profile, need) : lineAdvice(profile, need)))
  return advice.find(found => found !== undefined)
}

const lineAdvice = (profile: Profile, line: string): LineAdvice | undefined =>
  profileLine(profile, line) === undefined ? { line, reason: cure(profile, line) } : undefined

/** Returns advice for an ability that no driver of the profile gives; undefined where one does. */
export const driverAdvice = (profile: Profile, ability: Ability): LineAdvice | undefined => {
  const missing = missingAbility(profile, ability)
  if (!missing) return undefined
  const [line = '', ...others] = missing.lines
  const rest = others.length === 0 ? '' : ` (or ${others.join(', ')})`
  const capability = abilityCapability(ability)
  const denial = capability === undefined ? '' : `; if nothing can, say capabilities.${capability}: false`
  return {
    line: line.replace(/:.*/, ''),
    reason: `nothing gives it ${missing.what}: ${cure(profile, line)}${rest}${denial}`,
  }
}

/** Creates the error of a check that needs a line which the profile lacks. */
export const missingLine = (profile: Profile, line: string, exchange?: Exchange): Untestable =>
  new Untestable(cure(profile, line), exchange, line)

const cure = (profile: Profile, path: string): string => {
  const example = profileExample(path)
  return `add to ${profile.file} the line ${path}${example === undefined ? '' : `: ${JSON.stringify(example)}`}`
}

/** Reads the response value where the profile's `fields.<operation>.<name>` points; throws (untestable) if none. */
export const readField = (profile: Profile, exchange: Exchange, field: string): unknown => {
  const path = `fields.${field}`
  const pointer = profileLine(profile, path)
  if (typeof pointer !== 'string') throw missingLine(profile, path, exchange)
  const found = valueAtPointer(responseJson(exchange), pointer)
  if (!isAbsent(found)) return toDocumentValue(profile, field, found)
  throw new Untestable(
    `${path}: ${pointer} points at nothing in ${describeExchange(exchange)}; correct it in ${profile.file}`,
    exchange,
    path,
  )
}

/** Reads one member of each item of a response list; throws (untestable) where the list is not found. */
export const readItems = (profile: Profile, exchange: Exchange, list: string, member: string): unknown[] => {
  const items = readField(profile, exchange, list)
  const pointer = String(profileLine(profile, `fields.${member}`))
  if (Array.isArray(items)) return items.map(item => valueAtPointer(item, pointer))
  throw new Untestable(
    `fields.${list} points at no list in ${describeExchange(exchange)}; correct it in ${profile.file}`,
    exchange,
    `fields.${list}`,
  )
}

/** Finds the response value where `fields.<operation>.<name>` points; undefined where pointer or value is missing. */
export const findField = (profile: Profile, exchange: Exchange, field: string): unknown => {
  const pointer = profileLine(profile, `fields.${field}`)
  const found = typeof pointer === 'string' ? valueAtPointer(responseJson(exchange), pointer) : undefined
  return isAbsent(found) ? undefined : toDocumentValue(profile, field, found)
}

/** Whether a member of a response has no value: some services write such a member as null. */
export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

/** Translates an enum value of this deployment to that of the document. */
const toDocumentValue = (profile: Profile, field: string, found: unknown): unknown => {
  const { enums } = profile
  const name = field.slice(field.indexOf('.') + 1)
  const words = Object.entries((name !== 'state' && enums?.[name]) || {}) // states are compared with the words of `states`
  const word = words.find(([, theirs]) => theirs === String(found))?.[0] ?? found
  return field === 'initiate.status' ? statusOfWord(profile, word) : word
}

/** Finds the reasonCode of a response: of a refusal, or of a decline in a success, there at `field` (S44). */
export const findReasonCode = (profile: Profile, exchange: Exchange, field: string): string | undefined => {
  const served = (exchange.response?.status ?? 0) < 300
  const found = served ? findField(profile, exchange, field) : findRefusalCode(profile, exchange)
  return isAbsent(found) ? undefined : String(found)
}

/**
 * Whether a response is a decline, by the place and values of `errors.declined`; never a refusal, nor a cancel whose
 * response says that the payment is canceled.
 */
export const isDecline = (profile: Profile, exchange: Exchange): boolean => {
  const { errors, states } = profile
  if (errors?.declined === undefined || !maybeDecline(profile, exchange)) return false
  const word = String(valueAtPointer(responseJson(exchange), errors.declined.at))
  const isCanceled = exchange.request.endpoint === 'cancel' && states?.canceled?.includes(word)
  return !isCanceled && errors.declined.words.includes(word)
}

/**
 * Whether a response has the status of declines (D-07), and if that is one of refusals too, not the form of a refusal:
 * a code of their own, no payment, or the code of a lifecycle refusal (R5).
 */
const maybeDecline = (profile: Profile, exchange: Exchange): boolean => {
  const { response, request } = exchange
  const status = response?.status ?? 0
  if (status < 300) return true
  if (!isOfDeclines(profile, status)) return false
  const code = findErrorCode(profile, exchange)
  if (code === undefined) return true
  const isOfBoth = code === String(findField(profile, exchange, 'initiate.reasonCode'))
  const isOfLifecycle = code.startsWith('5') && !startsPayment(request.endpoint)
  return isOfBoth && !isOfLifecycle && findField(profile, exchange, 'initiate.transactionId') !== undefined
}

/** Whether a response has the status that the profile gives to declines, which is no 2xx (D-07). */
export const isOfDeclines = (profile: Profile, status: number): boolean => String(status) === choiceOf(profile, 'D-07')

/** Returns the JSON of a response without its call id, which differs from call to call. */
export const withoutCallId = ({ errors }: Profile, exchange: Exchange): unknown => {
  const json = structuredClone(responseJson(exchange))
  const parts = pointerSegments(errors?.callId ?? '')
  const name = parts.pop()
  const parent = parts.reduce<unknown>(memberOf, json)
  if (name !== undefined && typeof parent === 'object' && parent) delete (parent as Record<string, unknown>)[name]
  return json
}

/** Finds a signature header of a response by the name that the profile gives it (5.4; S21). */
export const findSignatureHeader = (
  profile: Profile,
  exchange: Exchange,
  name: keyof typeof STANDARD_HEADERS,
): string | undefined => exchange.response?.headers[signatureHeaderNames(profile)[STANDARD_HEADERS[name]]]

const STANDARD_HEADERS = {
  signature: 'signature',
  signatureInput: 'signature-input',
  contentDigest: 'content-digest',
} as const

/** Copies an exchange, its response's signature headers under the names of RFC 9421 and RFC 9530. */
export const withStandardHeaders = (profile: Profile, exchange: Exchange): Exchange => {
  const { response } = exchange
  if (!response || !profile.headers) return exchange
  return {
    ...exchange,
    response: { ...response, headers: readHeaders(response.headers, signatureHeaderNames(profile)) },
  }
}

/**
 * Finds the reasonCode of a refusal as text: at the first place of `errors.reasonCode` that has one (7; S23), or where
 * declines have theirs (D-07). Undefined where there is none.
 */
export const findRefusalCode = (profile: Profile, exchange: Exchange): string | undefined => {
  const code = isDecline(profile, exchange) ? findField(profile, exchange, 'initiate.reasonCode') : undefined
  return isAbsent(code) ? findErrorCode(profile, exchange) : String(code)
}

const findErrorCode = ({ errors }: Profile, exchange: Exchange): string | undefined => {
  const json = responseJson(exchange)
  const places = [errors?.reasonCode ?? []].flat()
  const found = places.map(pointer => valueAtPointer(json, pointer)).find(value => !isAbsent(value))
  return found === undefined ? undefined : String(found)
}

/** Whether a status says that the shopper has yet to act; false where the profile lists no state for that. */
export const isAwaitingShopper = (profile: Profile, exchange: Exchange): boolean =>
  profile.states?.waiting?.includes(String(findField(profile, exchange, 'status.state'))) ?? false
