import { OPERATION_NAMES, type OperationName, operationAddress } from '../../operations.ts'
import { isJsonObject, type JsonObject } from '../../protocol/canonical-json.ts'
import type { MeaningOf } from '../decision-choices.ts'
import type { DialectLines } from '../dialect-lines.ts'
import { ref } from './component-reference.ts'
import type { Schema } from './message-schema.ts'
import { componentsOf } from './spoken-components.ts'
import { createSpeller, createSpokenContext, type OpenApiObject, type SpokenContext } from './spoken-context.ts'
import { infoOf } from './spoken-info.ts'
import { jsonOf, requestSchema, spokenRequest } from './spoken-request.ts'
import { responseSchema, spokenResponses } from './spoken-responses.ts'
import { spokenWebhooks } from './spoken-webhooks.ts'

/**
 * Translates the OpenAPI description of the document's dialect to that of a deployment, with paths, members, values,
 * statuses, headers, webhooks and examples as it has them, and its choices in words. `document` is
 * contracts/openapi.yaml, parsed.
 */
export const dialectOpenApi = (lines: DialectLines, document: OpenApiObject, meaningOf: MeaningOf): OpenApiObject => {
  const context = createSpokenContext(lines, document)
  const operations = operationsOf(document)
  const paths: Record<string, JsonObject> = {}
  const schemas: Record<string, Schema> = {}
  for (const operation of OPERATION_NAMES) {
    const { method, path } = operationAddress(operation, lines.paths)
    const spoken = spokenOperation(context, operation, operations.get(operation) ?? {})
    const place = path.split('?')[0] ?? path
    paths[place] = { ...paths[place], [method.toLowerCase()]: spoken.operation }
    Object.assign(schemas, spoken.schemas)
  }
  const { webhooks, schemas: notified } = spokenWebhooks(context)
  const { openapi, servers, tags, security } = document
  return withoutUnused({
    openapi,
    info: infoOf(context, meaningOf),
    servers: (servers as Schema[]).map(server => ({ ...server, url: `${server.url}${lines.basePath ?? ''}` })),
    tags,
    security,
    paths,
    webhooks,
    components: componentsOf(context, { ...schemas, ...notified }),
  })
}

const operationsOf = ({ paths }: OpenApiObject): Map<string, Schema> =>
  new Map(
    Object.values(paths as Record<string, Record<string, Schema>>)
      .flatMap(methods => Object.values(methods))
      .map(operation => [String(operation.operationId), operation]),
  )

const spokenOperation = (context: SpokenContext, operation: OperationName, written: Schema) => {
  const { responses: writtenResponses, parameters = [], requestBody, ...rest } = written
  const success = jsonOf((writtenResponses as Schema)['200']).schema
  const spell = createSpeller([
    [requestSchema(context, operation), context.placesOf.request(operation)],
    [responseSchema(context, operation, success), context.placesOf.response(operation)],
  ])
  const asked = spokenRequest(context, operation, { parameters, requestBody }, spell)
  const answered = spokenResponses(context, operation, writtenResponses, spell)
  const isProtected = operation === 'keySet' && context.lines.keySet?.protected === true
  return {
    operation: {
      ...rest,
      description: spell(String(rest.description ?? '')),
      ...(isProtected && PROTECTED),
      parameters: isProtected ? PROTECTED.parameters : asked.parameters,
      ...(asked.requestBody && { requestBody: asked.requestBody }),
      responses: { ...answered.responses, ...(isProtected && PROTECTED.responses) },
    },
    schemas: { ...asked.schemas, ...answered.schemas },
  }
}

/** What the key set has where it is served behind the three layers. */
const PROTECTED = {
  description: 'Public keys only, behind certificate, token and signature (4, 5.4).',
  security: [{ certificate: [], token: ['payments:read'] }],
  parameters: ['Signature', 'SignatureInput', 'ServiceVersion'].map(name => ref('parameters', name)),
  responses: {
    '400': ref('responses', 'Invalid'),
    '401': ref('responses', 'Unauthenticated'),
    '403': ref('responses', 'Forbidden'),
  },
}

/** Leaves out components that nothing refers to. */
const withoutUnused = (description: OpenApiObject): OpenApiObject => {
  const { components, ...rest } = description
  const text = JSON.stringify(description)
  const used = Object.entries(components as Record<string, Schema>).map(([kind, parts]) => [
    kind,
    kind === 'securitySchemes' || !isJsonObject(parts)
      ? parts
      : Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`))),
  ])
  return { ...rest, components: Object.fromEntries(used) }
}
