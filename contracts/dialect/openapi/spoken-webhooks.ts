import type { Schema } from './message-schema.ts'
import { createSpeller, type SpokenContext } from './spoken-context.ts'
import { spokenExamples } from './spoken-examples.ts'
import { jsonOf } from './spoken-request.ts'
import { responseSchema, spokenHeaderNames, spokenMessage } from './spoken-responses.ts'

/** The webhooks of a description, and the schema of their body for the components. */
type SpokenWebhooks = { webhooks: Schema; schemas: Record<string, Schema> }

const SCHEMA = 'Notification'

/** Headers by which the endpoint's secret signs a webhook, and by which the key of the service does (D-100). */
const HEADERS = {
  hmac: ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'],
  rfc9421: ['WebhookId', 'WebhookTimestamp', 'ServiceSignature', 'ServiceSignatureInput', 'ServiceContentDigest'],
} as const

/**
 * Translates the webhooks of the OpenAPI description to a dialect: their body, examples, and the headers that sign
 * them.
 */
export const spokenWebhooks = (context: SpokenContext): SpokenWebhooks => {
  const { document, lines, resolve, placesOf, responses } = context
  const written = document.webhooks as Record<string, { post: Schema }>
  const schema = { $ref: `#/components/schemas/${SCHEMA}` }
  const spell = createSpeller([[responseSchema(context, 'webhook', schema), placesOf.response('webhook')]])
  const { signature = 'both' } = lines.webhooks ?? {}
  const isSent = ({ $ref }: Schema) => signature === 'both' || HEADERS[signature].some(name => endsWith($ref, name))
  const webhooks = Object.entries(written).map(([name, { post }]) => {
    const { parameters, requestBody, description, ...rest } = post
    const examples = spokenExamples(jsonOf(requestBody), resolve, value => responses.write('webhook', value))
    const content = { 'application/json': { schema, ...examples } }
    const spoken = {
      ...rest,
      description: spell(String(description)),
      parameters: (parameters as Schema[]).filter(isSent),
    }
    return [name, { post: { ...spoken, requestBody: { required: true, content } } }]
  })
  return {
    webhooks: Object.fromEntries(webhooks),
    schemas: { [SCHEMA]: spokenMessage(context, 'webhook', schema, spell) },
  }
}

const endsWith = (reference: unknown, name: string): boolean => String(reference).endsWith(`/${name}`)

/** Returns the OpenAPI parameters of the webhook signature headers, named as the deployment does. */
export const webhookParameters = ({ lines }: SpokenContext, parameters: Record<string, Schema> = {}) => {
  const own = spokenHeaderNames(lines)
  return Object.fromEntries(
    Object.entries(parameters).map(([key, parameter]) => [
      key,
      key.startsWith('Service') && key !== 'ServiceVersion'
        ? { ...parameter, name: own[String(parameter.name)] ?? parameter.name }
        : parameter,
    ]),
  )
}
