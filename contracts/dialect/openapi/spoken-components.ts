import { isJsonObject } from '../../protocol/canonical-json.ts'
import { ref } from './component-reference.ts'
import type { Schema } from './message-schema.ts'
import { spokenCode } from './refusal-statuses.ts'
import { createSpeller, type SpokenContext } from './spoken-context.ts'
import { spokenExamples } from './spoken-examples.ts'
import { jsonOf } from './spoken-request.ts'
import { responseSchema, spokenHeaders, spokenMessage } from './spoken-responses.ts'
import { spokenValueSchema } from './spoken-value-schema.ts'
import { webhookParameters } from './spoken-webhooks.ts'

/**
 * Translates the components of an OpenAPI description to a dialect: refusals, headers and parameters, beside the
 * schemas of the operations.
 */
export const componentsOf = (context: SpokenContext, schemas: Record<string, Schema>): Schema => {
  const { document, resolve } = context
  const {
    securitySchemes,
    parameters,
    headers,
    responses,
    schemas: written,
  } = document.components as Record<string, Record<string, Schema>>
  const spell = createSpeller([
    [responseSchema(context, 'refusal', written?.Refusal), context.placesOf.response('refusal')],
  ])
  const refusal = (response: Schema): Schema => ({
    ...response,
    headers: spokenHeaders(context, response.headers),
    content: {
      'application/json': {
        schema: ref('schemas', 'Refusal'),
        ...spokenExamples(jsonOf(response), resolve, value =>
          context.responses.write('refusal', spelledFields(context, withSpokenCode(context, value))),
        ),
      },
    },
  })
  return {
    securitySchemes,
    parameters: {
      ...webhookParameters(context, parameters),
      TransactionId: transactionParameter(context, parameters?.TransactionId ?? {}),
    },
    headers: { ...headers, ...signatureHeaders(context) },
    responses: Object.fromEntries(Object.entries(responses ?? {}).map(([name, response]) => [name, refusal(response)])),
    schemas: { ...schemas, Refusal: spokenMessage(context, 'refusal', written?.Refusal, spell) },
  }
}

/** Gives the example of a refusal the code that it has by the choices of the deployment (D-10); only a missing payment's changes. */
const withSpokenCode = ({ choices }: SpokenContext, value: unknown): unknown => {
  const { statusInfo } = value as { statusInfo?: unknown }
  if (!isJsonObject(statusInfo) || statusInfo.reasonCode !== '4001') return value
  return { ...(value as Schema), statusInfo: { ...statusInfo, reasonCode: spokenCode('404', '4001', choices) } }
}

/** Names the members of a refusal's validation errors as requests of initiate do. */
const spelledFields = ({ requests }: SpokenContext, value: unknown): unknown => {
  const { fields, ...rest } = value as { fields?: Record<string, unknown> }
  if (!fields) return value
  const spelled = Object.entries(fields).map(([path, fault]) => [requests.spell('initiate', path), fault])
  return { ...rest, fields: Object.fromEntries(spelled) }
}

/** The path parameter of a payment, whose text is a number where ids are numbers. */
const transactionParameter = ({ placesOf, resolve }: SpokenContext, parameter: Schema): Schema => {
  const { values } = placesOf.response('initiate')
  const schema = spokenValueSchema(parameter.schema, 'transactionId', { values, resolve, spell: text => text })
  return { ...parameter, schema, example: values.write('transactionId', parameter.example) }
}

/** What the lines say of the headers that sign a response. */
const signatureHeaders = ({ lines: { responses } }: SpokenContext): Schema => ({
  Signature: {
    description: `The service's signature of this response, labelled ${responses?.label ?? 'service_sig'} (5.4).`,
    schema: { type: 'string' },
  },
  ContentDigest: {
    description: `${(responses?.digest ?? 'sha-512').toUpperCase()} of the body (5.4).`,
    schema: { type: 'string' },
  },
})
