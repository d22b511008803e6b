import { OPERATION_NAMES, type OperationName, operationAddress } from '../../operations.ts'
import { isJsonObject, type JsonObject } from '../../protocol/canonical-json.ts'
import type { DialectLines } from '../dialect-lines.ts'
import { SIGNATURE_ASPECTS, signatureSentence } from '../signature-aspects.ts'
import type { Schema } from './message-schema.ts'
import { createSpeller, createSpokenContext, type OpenApiObject, type SpokenContext } from './spoken-context.ts'
import { spokenExamples } from './spoken-examples.ts'
import { jsonOf, requestSchema, spokenRequest } from './spoken-request.ts'
import { responseSchema, spokenHeaders, spokenMessage, spokenResponses } from './spoken-responses.ts'
import { spokenValueSchema } from './spoken-value-schema.ts'

/**
 * Translates the OpenAPI description of the document's language to that of a deployment: paths, members, words, forms of
 * values, statuses, headers, constants, refusals and examples. `document` is contracts/openapi.yaml, parsed.
 */
export const dialectOpenApi = (lines: DialectLines, document: OpenApiObject): OpenApiObject => {
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
  const { openapi, servers, tags, security } = document
  return withoutUnused({
    openapi,
    info: infoOf(context),
    servers,
    tags,
    security,
    paths,
    components: componentsOf(context, schemas),
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

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

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

const infoOf = ({ lines, document }: SpokenContext): Schema => {
  const { title, version, summary } = document.info as Record<string, string>
  const sentences = (topic: string) =>
    SIGNATURE_ASPECTS.filter(aspect => aspect.topic === topic).flatMap(aspect => signatureSentence(aspect, lines) ?? [])
  const paragraphs = [
    summary,
    'Three layers protect every call: mutual TLS with a client certificate (5.1), a signature (5.2), a bearer token (5.3).',
    `Signatures of requests: ${sentences('requests').join(' ')}`,
    ...(sentences('responses').length > 0 ? [`Signatures of responses: ${sentences('responses').join(' ')}`] : []),
    'Numbers in brackets are clauses of the interface document; `D-01` and the like are decisions about what it leaves open.',
  ]
  return {
    title: lines.name === undefined ? title : `${title}, as ${lines.name} speaks`,
    version,
    description: paragraphs.join('\n\n'),
  }
}

const componentsOf = (context: SpokenContext, schemas: Record<string, Schema>): Schema => {
  const { document, resolve, lines } = context
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
          context.responses.write('refusal', spelledFields(context, value)),
        ),
      },
    },
  })
  const { label, digest } = lines.responses ?? {}
  return {
    securitySchemes,
    parameters: { ...parameters, TransactionId: transactionParameter(context, parameters?.TransactionId ?? {}) },
    headers: {
      ...headers,
      Signature: {
        description: `The service's signature of this response, labelled ${label ?? 'service_sig'} (5.4).`,
        schema: { type: 'string' },
      },
      ContentDigest: {
        description: `${(digest ?? 'sha-512').toUpperCase()} of the body (5.4).`,
        schema: { type: 'string' },
      },
    },
    responses: Object.fromEntries(Object.entries(responses ?? {}).map(([name, response]) => [name, refusal(response)])),
    schemas: { ...schemas, Refusal: spokenMessage(context, 'refusal', written?.Refusal, spell) },
  }
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
