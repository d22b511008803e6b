import { isJsonObject, type JsonObject } from '../../protocol/canonical-json.ts'
import { type DescribedMember, describedMembers } from './described-members.ts'
import { createLocalSchemas, DescriptionError, type LocalSchemas } from './local-schemas.ts'

/** An operation as a deployment's OpenAPI document describes it. */
export type DescribedOperation = {
  method: string
  path: string
  id: string
  request: readonly DescribedMember[]
  /** The statuses of a success, and the members of its body. */
  statuses: readonly number[]
  response: readonly DescribedMember[]
  refusal: readonly DescribedMember[]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Reads the operations of an OpenAPI 3.0 or 3.1 document; throws DescriptionError where it cannot be read. */
export const describedOperations = (document: unknown): DescribedOperation[] => {
  if (!isJsonObject(document)) throw new DescriptionError('It has no object at its top: name an OpenAPI document.')
  // YAML reads 3.0 without quotes as the number 3.
  if (!/^3(\.[01](\..+)?)?$/.test(String(document.openapi)))
    throw new DescriptionError(
      `Its "openapi" is ${JSON.stringify(document.openapi)}: give a document of OpenAPI 3.0 or 3.1.`,
    )
  if (!isJsonObject(document.paths)) throw new DescriptionError('It has no "paths": there is no call to read.')
  const schemas = createLocalSchemas(document)
  return Object.entries(document.paths).flatMap(([path, written]) => {
    const item = schemas.resolve(written)
    return METHODS.flatMap(method => {
      if (!isJsonObject(item[method])) return []
      return [describedOperation(path, method, { item, operation: item[method], schemas })]
    })
  })
}

type Parts = { item: JsonObject; operation: JsonObject; schemas: LocalSchemas }

const describedOperation = (path: string, method: string, { item, operation, schemas }: Parts): DescribedOperation => {
  const responses = Object.entries(isJsonObject(operation.responses) ? operation.responses : {})
  const havingStatus = (pattern: RegExp) => responses.filter(([status]) => pattern.test(status))
  const named = havingStatus(/^2(\d\d|XX)$/i)
  const [successes, refusals] =
    named.length > 0
      ? [named, havingStatus(/^(4\d\d|4XX|default)$/i)]
      : [havingStatus(/^default$/), havingStatus(/^4(\d\d|XX)$/i)]
  const statuses = successes.map(([status]) => Number(status))
  const bodyOf = (list: readonly [string, unknown][]) =>
    list
      .map(([, response]) => describedMembers(jsonSchema(schemas.resolve(response)), schemas))
      .find(body => body.length > 0) ?? []
  const parameters = [item.parameters, operation.parameters]
    .flatMap(list => (Array.isArray(list) ? list : []))
    .map(schemas.resolve)
  return {
    method: method.toUpperCase(),
    path,
    id: typeof operation.operationId === 'string' ? operation.operationId : '',
    request: [
      ...queryMembers(parameters, schemas),
      ...describedMembers(jsonSchema(schemas.resolve(operation.requestBody)), schemas),
    ],
    statuses: statuses.some(Number.isNaN) ? [] : statuses,
    response: bodyOf(successes),
    refusal: bodyOf(refusals),
  }
}

/** The parameters of a query; the members of an object are parameters of their own unless `style` or `explode` say otherwise. */
const queryMembers = (parameters: readonly JsonObject[], schemas: LocalSchemas): DescribedMember[] =>
  parameters.flatMap(({ in: where, name, schema, required, style = 'form', explode = true }) => {
    if (where !== 'query') return []
    const isRequired = required === true
    const members = style === 'form' && explode === true ? describedMembers(schema, schemas) : []
    const named = members.filter(({ segments }) => segments.length > 0)
    if (named.length > 0) return named.map(member => ({ ...member, isRequired: isRequired && member.isRequired }))
    return [{ segments: [String(name)], schema: schemas.schema(schema), isRequired }]
  })

/** The schema of the JSON body of a request or a response, also of one of any type; undefined where it has none. */
const jsonSchema = ({ content }: JsonObject): unknown => {
  const types = isJsonObject(content) ? Object.entries(content) : []
  const [, media] =
    types.find(([type]) => /^application\/([\w.+-]+\+)?json\b/i.test(type)) ??
    types.find(([type]) => /^(\*|application)\/\*/i.test(type)) ??
    []
  return isJsonObject(media) ? media.schema : undefined
}
