import type { Context } from 'hono'
import { DEEPEST, isTooDeep } from '../nesting.ts'
import { OperatorError } from '../operator/operator-error.ts'

/** Reads the text members of a JSON body, all optional; refuses anything else that stands there. */
export const readMembers = async <const Name extends string>(
  c: Context,
  names: readonly Name[],
): Promise<Partial<Record<Name, string>>> => {
  const members = await readObject(c, names)
  for (const [name, member] of Object.entries(members))
    if (typeof member !== 'string') throw new OperatorError('invalid', `${name} must be a text.`)
  return members as Partial<Record<Name, string>>
}

/** Reads the members of a JSON body, whatever they are. */
export const readObject = async <const Name extends string>(
  c: Context,
  names: readonly Name[],
): Promise<Partial<Record<Name, unknown>>> => {
  const value = await readValue(c)
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new OperatorError('invalid', 'The body must be a JSON object.')
  for (const name of Object.keys(value))
    if (!names.some(known => known === name))
      throw new OperatorError(
        'invalid',
        `The body has the unknown member ${name.slice(0, 40)}: ${names.length === 0 ? 'leave it out' : `give ${names.join(', ')}`}.`,
      )
  return value as Partial<Record<Name, unknown>>
}

/** Reads a JSON body as it is; none counts as an object without members. */
export const readValue = async (c: Context): Promise<unknown> => {
  const text = await c.req.text()
  const value = text === '' ? {} : parse(text)
  if (isTooDeep(value)) throw new OperatorError('invalid', `The body is nested deeper than ${DEEPEST} levels.`)
  return value
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new OperatorError('invalid', `The body is not JSON: ${(error as Error).message}.`)
  }
}
