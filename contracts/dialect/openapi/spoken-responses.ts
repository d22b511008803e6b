import { isProviderOperation, type OperationName } from '../../operations.ts'
import type { JsonObject } from '../../protocol/canonical-json.ts'
import type { DialectLines, MessageName } from '../dialect-lines.ts'
import { STANDARD } from '../response-lens.ts'
import { dereferenced, type MessageSchema, readMessageSchema, type Schema } from './message-schema.ts'
import { refusalResponses } from './refusal-statuses.ts'
import type { Spell, SpokenContext } from './spoken-context.ts'
import { spokenExamples } from './spoken-examples.ts'
import { jsonOf } from './spoken-request.ts'
import { placeMessageSchema } from './translate-message-schema.ts'

/** The response half of an operation in a dialect's OpenAPI document, and the schema of its body for the components. */
export type SpokenResponses = { responses: Schema; schemas: Record<string, Schema> }

/**
 * Returns the schema of an operation's response members, with the sums that status has only where a line names their
 * places (D-51).
 */
export const responseSchema = (
  { resolve, lines: { fields } }: SpokenContext,
  message: MessageName,
  schema: unknown,
): MessageSchema => {
  const read = readMessageSchema(schema, resolve)
  const hasSums = message === 'status' && (fields?.status?.captured ?? fields?.status?.refunded) !== undefined
  const sums = ['capturedAmount', 'refundedAmount'].map(name => `paymentDetails.${name}`)
  const more = sums.map(path => ({ path, schema: { type: 'integer', minimum: 0 }, dependsOn: path }))
  return hasSums ? { ...read, members: [...read.members, ...more] } : read
}

/** Translates a response or a refusal of the OpenAPI description to a dialect: its schema and its examples. */
export const spokenMessage = (context: SpokenContext, message: MessageName, schema: unknown, spell: Spell): Schema =>
  STANDARD.includes(message)
    ? (dereferenced(schema, context.resolve) as Schema)
    : placeMessageSchema(responseSchema(context, message, schema), {
        places: context.placesOf.response(message),
        resolve: context.resolve,
        spell,
      })

/**
 * Translates the OpenAPI responses of an operation to a dialect: its successes, its declines, and its refusals as they
 * are.
 */
export const spokenResponses = (
  context: SpokenContext,
  operation: OperationName,
  written: unknown,
  spell: Spell,
): SpokenResponses => {
  const { '200': success = {}, ...usual } = written as Record<string, Schema>
  const refusals = refusalResponses(usual, operation, context.choices)
  const { content } = success as { content?: JsonObject }
  const json = jsonOf(success)
  const name = String((json.schema as Schema | undefined)?.$ref ?? '').replace('#/components/schemas/', '')
  const examples = spokenExamples(json, context.resolve, value => context.responses.write(operation, value))
  const spoken = {
    ...success,
    description: spell(String(success.description)),
    ...(success.headers !== undefined && { headers: spokenHeaders(context, success.headers) }),
    ...(content?.['text/csv'] !== undefined && { content: dereferenced(content, context.resolve) as Schema }),
    ...(name !== '' && {
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` }, ...examples } },
    }),
  }
  const statuses = context.lines.success?.[operation] ?? [200]
  return {
    responses: {
      ...Object.fromEntries(statuses.map(status => [String(status), spoken])),
      ...refusals,
      ...declineResponse(context, operation, spoken, refusals),
    },
    schemas: name === '' ? {} : { [name]: spokenMessage(context, operation, json.schema, spell) },
  }
}

/** Names the headers of an OpenAPI response as the deployment does. */
export const spokenHeaders = ({ lines }: SpokenContext, headers: unknown): Schema => {
  const own = spokenHeaderNames(lines)
  return Object.fromEntries(Object.entries(headers as Schema).map(([name, header]) => [own[name] ?? name, header]))
}

/** Returns a deployment's names of the headers that sign a message, by the usual ones. */
export const spokenHeaderNames = ({ headers }: DialectLines): Readonly<Record<string, string | undefined>> => ({
  Signature: headers?.signature,
  'Signature-Input': headers?.signatureInput,
  'Content-Digest': headers?.contentDigest,
})

/** The response of a decline where it has a status of its own (D-07); one that refusals have too has either form. */
const declineResponse = (
  { choices }: SpokenContext,
  operation: OperationName,
  success: Schema,
  refusals: Record<string, Schema>,
): Schema => {
  const status = choices['D-07']
  if (status === '200' || !isProviderOperation(operation)) return {}
  const answer = jsonOf(success).schema
  const schema = status in refusals ? { anyOf: [answer, { $ref: '#/components/schemas/Refusal' }] } : answer
  const { examples: _, ...declined } = success
  return {
    [status]: {
      ...declined,
      description: 'The provider or the shopper declined; or the call was refused.',
      content: { 'application/json': { schema } },
    },
  }
}
