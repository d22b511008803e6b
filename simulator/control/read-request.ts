import type { Context } from 'hono'
import { hasUserInfo, hideUserInfo } from '../../contracts/protocol/user-info.ts'
import { ControlError } from '../support/control-error.ts'
import { MINUTE, parseDuration } from '../support/duration.ts'
import { describeValue } from '../support/invalid-member-error.ts'
import { isTooDeep, TOO_DEEP } from '../support/json-depth.ts'

/**
 * Reads the JSON body of a control call whose members are all optional texts; refuses unknown members and other types.
 */
export const readTextMembers = async <const Name extends string>(
  c: Context,
  names: readonly Name[],
): Promise<Partial<Record<Name, string>>> => {
  const members = await readJsonMembers(c, names)
  for (const [name, member] of Object.entries(members)) requireText(name, member)
  return members as Partial<Record<Name, string>>
}

/** Requires a member of a body to be a text. Throws ControlError. */
export const requireText = (name: string, member: unknown): string => {
  if (typeof member === 'string') return member
  throw new ControlError('invalid', `${name} is ${describeValue(member)}: give a text.`)
}

/** Reads the JSON object body of a control call, with members of any type; refuses unknown members. */
export const readJsonMembers = async <const Name extends string>(
  c: Context,
  names: readonly Name[],
): Promise<Partial<Record<Name, unknown>>> => {
  const value = await readJsonBody(c)
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new ControlError('invalid', 'The body must be a JSON object.')
  for (const name of Object.keys(value))
    if (!names.some(known => known === name))
      throw new ControlError(
        'invalid',
        `The body has the unknown member ${name.slice(0, 40)}: ${names.length === 0 ? 'leave it out' : `give ${names.join(', ')}`}.`,
      )
  return value as Partial<Record<Name, unknown>>
}

/** Reads the JSON body of a control call, of any shape, by a parser for long ones; an empty body counts as an empty object. */
export const readJsonBody = async (c: Context, parse: (text: string) => unknown = parseShallow): Promise<unknown> => {
  const text = await c.req.text()
  if (text === '') return {}
  try {
    return await parse(text)
  } catch (error) {
    if (error instanceof ControlError) throw error
    throw new ControlError('invalid', `The body is not JSON: ${(error as Error).message}.`)
  }
}

const parseShallow = (text: string): unknown => {
  if (isTooDeep(text)) throw new ControlError('invalid', TOO_DEEP)
  return JSON.parse(text)
}

/**
 * Reads the query parameter `atMost` of a control call, the longest wait in real time: an ISO 8601 duration up to a
 * minute; returns milliseconds.
 */
export const readWait = (c: Context, usual: string): number => {
  const text = c.req.query('atMost') ?? usual
  const milliseconds = parseDuration(text)
  if (milliseconds !== undefined && milliseconds <= MINUTE) return milliseconds
  throw new ControlError('invalid', `atMost is ${JSON.stringify(text.slice(0, 40))}: give a duration up to PT1M.`)
}

const DEFAULT_LIMIT = 50

/** Reads the query parameter `limit` of a list of control: 1 to 99999, or less, by default 50. */
export const readLimit = (c: Context, most = 99_999): number => {
  const text = c.req.query('limit') ?? String(DEFAULT_LIMIT)
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > most)
    throw new ControlError('invalid', `limit is ${JSON.stringify(text)}: give a number from 1 to ${most}.`)
  return Number(text)
}

/** Reads the query parameter `apiUrl` of control's kit, where the caller reaches the API; undefined unless given. */
export const readApiUrl = (c: Context): string | undefined => {
  const text = c.req.query('apiUrl')
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url?.protocol === 'https:' && url.pathname === '/' && !url.search && !url.hash && !hasUserInfo(url))
    return url.origin
  throw new ControlError(
    'invalid',
    `apiUrl is ${JSON.stringify(hideUserInfo(text).slice(0, 80))}: give the address of the API, such as https://assay:8443.`,
  )
}
