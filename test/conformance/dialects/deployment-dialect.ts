import type { OperationName } from '../../../contracts/operations.ts'
import type { AcceptedDialect } from '../../../contracts/protocol/match-signature-dialect.ts'

export type JsonObject = Record<string, unknown>

/**
 * Type of the API dialect of a made-up deployment: paths, members, values, headers. Independent of profiles, so that
 * both cannot share an error.
 */
export type DeploymentDialect = {
  /** Paths below the base URL, with `{id}` where a payment is named. */
  paths: Readonly<Record<OperationName, string>>
  base: string
  dialect: AcceptedDialect & { port: 'dropped' | 'kept'; createdFirst?: true }
  /** Response header names: simulator's name to the deployment's. */
  headers: Readonly<Record<string, string>>
  /** `slashed` ids are texts with leading zeros, a slash and a percent sign; a `big number` is one beyond 2^53. */
  ids: 'text' | 'number' | 'slashed' | 'big number'
  /** Operations that take their members in the query of a GET. */
  byQuery?: readonly OperationName[]
  /** How responses and webhooks are signed, if not by the label, reading and encoding of the simulator. */
  responses?: { label: string; reading: 'rfc' | 'literal'; encoding: 'der' | 'raw' }
  /** Whether the key set is served only with a certificate and a token. */
  isKeySetProtected?: true
  /** The one signature that webhooks have; both where it is left out. */
  webhookSignature?: 'rfc9421'
  /** Delay before each response, in milliseconds. */
  slowMs?: number
  /** Translates a request body of this deployment into the simulator's. */
  ours(endpoint: OperationName, body: JsonObject): JsonObject
  /** Translates a response of the simulator into this deployment's. */
  theirs(endpoint: OperationName | undefined, answer: JsonResponse): JsonResponse
}

export type JsonResponse = { status: number; body: JsonObject }

/** Copies a JSON value with every member, at any depth, renamed or changed; values of `metadata` are not entered. */
export const mapMembers = (
  value: unknown,
  change: (name: string, value: unknown) => readonly [string, unknown],
): unknown => {
  if (Array.isArray(value)) return value.map(item => mapMembers(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const [renamed, changed] = change(name, inner)
      return [renamed, name === 'metadata' || renamed === 'metadata' ? changed : mapMembers(changed, change)]
    }),
  )
}

/** Swaps keys and values of a table. */
export const invertTable = (table: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([one, other]) => [other, one]))
