import type { OperationName } from '../../operations.ts'
import type { JsonObject } from '../../protocol/canonical-json.ts'
import type { MessageName } from '../dialect-lines.ts'
import { hasMembers, type MessageSchema, readMessageSchema, type Schema } from '../openapi/message-schema.ts'
import type { SpokenContext } from '../openapi/spoken-context.ts'
import { jsonOf, requestSchema } from '../openapi/spoken-request.ts'
import { responseSchema } from '../openapi/spoken-responses.ts'
import { STANDARD } from '../response-lens.ts'
import type { DescribedMember } from './described-members.ts'
import type { DescribedOperation } from './described-operations.ts'
import { type MatchedMembers, matchMembers } from './match-members.ts'
import type { Unplaced } from './match-operations.ts'

/**
 * A message read from a deployment's OpenAPI document: its members, and which of ours each clearly is; lists with their
 * items.
 */
export type ReadMessage = MatchedMembers & {
  schema: MessageSchema
  described: readonly DescribedMember[]
  lists: ReadonlyMap<string, MatchedMembers & { described: readonly DescribedMember[] }>
}

/** Messages read from a deployment's OpenAPI document, by name. */
export type ReadMessages<Name extends string> = ReadonlyMap<Name, ReadMessage>

/** Reads the requests of the operations found in an OpenAPI document, but for the form of token. */
export const readRequests = (own: SpokenContext, operations: ReadonlyMap<OperationName, DescribedOperation>) =>
  new Map(
    [...operations].flatMap(([name, { request }]): [OperationName, ReadMessage][] => {
      const schema = requestSchema(own, name)
      return name === 'token' || schema.members.length === 0 ? [] : [[name, readMessage(schema, request, own)]]
    }),
  )

/** Returns the name of the one object that holds every response of an OpenAPI document, where there is one. */
export const envelopeOf = (operations: ReadonlyMap<OperationName, DescribedOperation>): string | undefined => {
  const bodies = [...operations].flatMap(([name, { response }]) =>
    STANDARD.includes(name) || response.length === 0 ? [] : [response],
  )
  const names = new Set(
    bodies.flatMap(body => body.map(({ segments }) => (segments.length > 1 ? segments[0] : undefined))),
  )
  const [name] = names
  return bodies.length > 1 && names.size === 1 ? name : undefined
}

/** Reads the responses of the operations found in an OpenAPI document, each without the object that holds it. */
export const readResponses = (
  own: SpokenContext,
  operations: ReadonlyMap<OperationName, DescribedOperation>,
  envelope: string | undefined,
) =>
  new Map(
    [...operations].flatMap(([name, { response }]): [OperationName, ReadMessage][] => {
      const written = successSchema(own, name)
      if (written === undefined || response.length === 0) return []
      const inner = response.map(member => ({
        ...member,
        segments: member.segments.slice(envelope === undefined ? 0 : 1),
      }))
      return [[name, readMessage(responseSchema(own, name as MessageName, written), inner, own)]]
    }),
  )

/** Lists the operations found in an OpenAPI document whose response it does not describe, and refusals if it has none. */
export const undescribedResponses = (
  own: SpokenContext,
  operations: ReadonlyMap<OperationName, DescribedOperation>,
): Unplaced[] => [
  ...[...operations].flatMap(([name, { response }]) =>
    response.length > 0 || successSchema(own, name) === undefined
      ? []
      : [{ place: `members.${name}`, reason: 'its response has no JSON schema' }],
  ),
  ...([...operations.values()].some(({ refusal }) => refusal.length > 0)
    ? []
    : [{ place: 'members.refusal', reason: 'no refusal has a JSON schema' }]),
]

/** Reads the refusals of an OpenAPI document: of several forms the first; of a list of faults its first. */
export const readRefusal = (
  own: SpokenContext,
  operations: ReadonlyMap<OperationName, DescribedOperation>,
): ReadMessage => {
  const { schemas } = own.document.components as { schemas: JsonObject }
  const described = [...operations.values()].map(({ refusal }) => refusal).find(body => body.length > 0) ?? []
  const flat = described.flatMap(member =>
    member.items
      ? member.items.map(item => ({ ...item, segments: [...member.segments, '0', ...item.segments] }))
      : [member],
  )
  return readMessage(readMessageSchema(schemas.Refusal, own.resolve), flat, own)
}

const readMessage = (
  schema: MessageSchema,
  described: readonly DescribedMember[],
  { resolve }: SpokenContext,
): ReadMessage => {
  const matched = matchMembers(schema.members, described)
  const lists = [...matched.found].flatMap(([path, { items }]) => {
    const written = schema.members.find(member => member.path === path)?.schema.items
    if (!items || !hasMembers(written, resolve)) return []
    return [[path, { ...matchMembers(readMessageSchema(written, resolve).members, items), described: items }] as const]
  })
  return { ...matched, schema, described, lists: new Map(lists) }
}

/** Our schema of a response of an operation; undefined where it has no form of ours. */
const successSchema = ({ document }: SpokenContext, name: OperationName): unknown => {
  const operations = Object.values(document.paths as Record<string, Record<string, Schema>>).flatMap(
    Object.values<Schema>,
  )
  const { responses } = operations.find(({ operationId }) => operationId === name) ?? {}
  return STANDARD.includes(name) ? undefined : jsonOf((responses as JsonObject | undefined)?.['200']).schema
}
