import { OPERATIONS, type OperationName, operationAddress, startsPayment } from '../../operations.ts'
import { isJsonObject, type JsonObject } from '../../protocol/canonical-json.ts'
import { pointerSegments } from '../json-pointer.ts'
import { placeOf } from '../member-places.ts'
import { constantsOf } from '../request-lens.ts'
import { type MessageSchema, readMessageSchema, type Schema } from './message-schema.ts'
import type { Spell, SpokenContext } from './spoken-context.ts'
import { spokenExamples } from './spoken-examples.ts'
import { spokenValueSchema, withoutUndefined } from './spoken-value-schema.ts'
import { placeMessageSchema } from './translate-message-schema.ts'

/**
 * The request half of an operation in a dialect's OpenAPI document: parameters, body, and the schema of the body for
 * the components.
 */
export type SpokenRequest = { parameters: Schema[]; requestBody?: Schema; schemas: Record<string, Schema> }

/** Returns the schema of an operation's request members; none where it has neither body nor query. */
export const requestSchema = (
  { document, resolve, choices }: SpokenContext,
  operation: OperationName,
): MessageSchema => {
  const { schema } = OPERATIONS[operation]
  const { schemas } = document.components as { schemas: JsonObject }
  if (schema === undefined) return { members: [], objects: [], rules: [] }
  const read = readMessageSchema(schemas[schema], resolve)
  const optional = startsPayment(operation) ? OPTIONAL[choices['D-44']] : undefined
  const isBare = operation === 'capture' && choices['D-47'] === 'optional'
  const members = read.members.map(member => ({
    ...member,
    ...(member.path === optional && { dependsOn: optional }),
    ...(member.path === 'returnUrl' && choices['D-110'] === 'any-text' && { schema: ANY_TEXT }),
  }))
  const objects = read.objects.map(object =>
    isBare && object.path === 'paymentDetails' ? { ...object, dependsOn: object.path } : object,
  )
  return { ...read, members, objects }
}

/** A returnUrl where any text is accepted (D-110). */
const ANY_TEXT: Schema = { type: 'string', minLength: 1, maxLength: 2048 }

/** The member that a new payment may lack, where a choice makes it optional (D-44). */
const OPTIONAL = {
  required: undefined,
  'optional-account': 'processingAccountId',
  'optional-description': 'paymentDetails.description',
} as const

/** Translates the OpenAPI request of an operation to a dialect: to a body, or to query parameters where it is a GET. */
export const spokenRequest = (
  context: SpokenContext,
  operation: OperationName,
  { parameters, requestBody }: Schema,
  spell: Spell,
): SpokenRequest => {
  const { method } = operationAddress(operation, context.lines.paths)
  const kept = (parameters as Schema[]).filter(
    ({ $ref, in: where }) =>
      where !== 'query' && !(method === 'GET' && $ref === '#/components/parameters/ContentDigest'),
  )
  if (operation === 'token')
    return { parameters: kept, requestBody: requestBody as Schema, schemas: tokenSchema(context) }
  if (method === 'GET') return { parameters: [...queryOf(context, operation, spell), ...kept], schemas: {} }
  const name = OPERATIONS[operation].schema ?? ''
  const schema = placeMessageSchema(requestSchema(context, operation), {
    places: context.placesOf.request(operation),
    resolve: context.resolve,
    spell,
    constants: constantsOf(context.lines, operation).map(([pointer, value]) => [pointerSegments(pointer), value]),
  })
  const examples = spokenExamples(jsonOf(requestBody), context.resolve, value =>
    context.requests.json(operation, value),
  )
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` }, ...examples } }
  return {
    parameters: kept,
    requestBody: { required: true, content },
    schemas: { [name]: withFaults(schema, context) },
  }
}

/** Returns the OpenAPI media type object of a JSON body. */
export const jsonOf = (body: unknown): Schema => {
  const { content } = (body ?? {}) as { content?: JsonObject }
  return (content?.['application/json'] ?? {}) as Schema
}

const tokenSchema = ({ document }: SpokenContext) => {
  const { TokenRequest, OrganizationId } = (document.components as { schemas: Record<string, Schema> }).schemas
  return { TokenRequest: TokenRequest ?? {}, OrganizationId: OrganizationId ?? {} }
}

/** Query and path parameters of a request by GET: every member, and those that the path's line names. */
const queryOf = (context: SpokenContext, operation: OperationName, spell: Spell): Schema[] => {
  const { lines, placesOf, resolve } = context
  const places = placesOf.request(operation)
  const [path = '', query = ''] = operationAddress(operation, lines.paths).path.split('?')
  const named = new Map(
    [...new URLSearchParams(query)].flatMap(([parameter, value]) =>
      /^\{\w+\}$/.test(value) ? [[value.slice(1, -1), parameter]] : [],
    ),
  )
  const { members } = requestSchema(context, operation)
  const parameters = members
    .filter(({ path: member }) => places.has(member))
    .map(({ path: member, schema, dependsOn }): Schema => {
      const { description, ...form } = spokenValueSchema(schema, member, { values: places.values, resolve, spell })
      const isInPath = path.includes(`{${member}}`)
      const name = isInPath ? member : (named.get(member) ?? placeOf(places, member).at(-1) ?? member)
      return withoutUndefined({
        name,
        in: isInPath ? 'path' : 'query',
        ...((isInPath || dependsOn === '') && { required: true }),
        description,
        schema: form,
      })
    })
  const constants = constantsOf(lines, operation).map(([pointer, value]) => ({
    name: pointerSegments(pointer).at(-1),
    in: 'query',
    required: true,
    schema: { const: String(value) },
  }))
  return [...constants, ...parameters]
}

/** The word by which a capture meets a fault stands where the document has an object (7.1). */
const withFaults = (schema: Schema, { lines }: SpokenContext): Schema => {
  const { at, ...words } = lines.mocks?.faults ?? {}
  if (at === undefined) return schema
  const segments = pointerSegments(at)
  const holder = segments
    .slice(0, -1)
    .reduce<unknown>(
      (node, name) => (isJsonObject(node) ? (node.properties as JsonObject | undefined)?.[name] : undefined),
      schema,
    )
  const properties = isJsonObject(holder) ? holder.properties : undefined
  if (isJsonObject(properties) && segments.at(-1) !== undefined)
    properties[segments.at(-1) ?? ''] = { type: 'string', enum: Object.values(words), description: 'A fault (7.1).' }
  return schema
}
