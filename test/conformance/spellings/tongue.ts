import type { EndpointName } from '../../../contracts/client/endpoints.ts'
import type { Dialect } from '../../../contracts/protocol/verify.ts'

export type Json = Record<string, unknown>

/** How a made-up deployment speaks. It knows nothing of profiles: what both get wrong would never be seen. */
export type Tongue = {
  /** Paths below the base URL, with `{id}` where a payment is named. */
  paths: Readonly<Record<EndpointName, string>>
  base: string
  dialect: Dialect & { port: 'dropped' | 'kept'; createdFirst?: true }
  /** Headers of answers: what the simulator calls one, and what it is called here. */
  headers: Readonly<Record<string, string>>
  ids: 'text' | 'number'
  /** How long it thinks before it answers. */
  slowMs?: number
  /** A request as the simulator wants it. */
  ours(endpoint: EndpointName, body: Json): Json
  /** An answer of the simulator as this deployment gives it. */
  theirs(endpoint: EndpointName | undefined, answer: Answer): Answer
}

export type Answer = { status: number; body: Json }

/** A copy with every member, however deep, given another name or value. */
export const mapped = (
  value: unknown,
  change: (name: string, value: unknown) => readonly [string, unknown],
): unknown => {
  if (Array.isArray(value)) return value.map(item => mapped(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const [renamed, changed] = change(name, inner)
      return [renamed, name === 'metadata' || renamed === 'metadata' ? changed : mapped(changed, change)]
    }),
  )
}

/** The other way round. */
export const turned = (table: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([one, other]) => [other, one]))
