import { isJsonObject, type JsonObject } from '../../protocol/canonical-json.ts'
import { createLocalResolver, type DescribedMember, DescriptionError, describedMembers } from './described-members.ts'

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
  if (!/^3\.[01]\./.test(String(document.openapi)))
    throw new DescriptionError(
      `Its "openapi" is ${JSON.stringify(document.openapi)}: give a document of OpenAPI 3.0 or 3.1.`,
    )
  if (!isJsonObject(document.paths)) throw new DescriptionError('It has no "paths": there is no call to read.')
  const resolve = createLocalResolver(document)
  return Object.entries(document.paths).flatMap(([path, written]) => {
    const item = resolve(written)
    return METHODS.flatMap(method => {
      if (!isJsonObject(item[method])) return []
      return [describedOperation(path, method, { item, operation: item[method], resolve })]
    })
  })
}

type Parts = { item: JsonObject; operation: JsonObject; resolve: ReturnType<typeof createLocalResolver> }

const describedOperation = (path: string, method: string, { item, operation, resolve }: Parts): DescribedOperation => {
  const responses = Object.entries(isJsonObject(operation.responses) ? operation.responses : {})
  const successes = responses.filter(([status]) => /^2\d\d$/.test(status))
  const refusals = responses.filter(([status]) => /^(4\d\d|4XX|default)$/.test(status))
  const bodyOf = (list: readonly [string, unknown][]) =>
    list
      .map(([, response]) => describedMembers(jsonSchema(resolve(response)), resolve))
      .find(body => body.length > 0) ?? []
  const parameters = [item.parameters, operation.parameters]
    .flatMap(list => (Array.isArray(list) ? list : []))
    .map(parameter => resolve(parameter))
  return {
    method: method.toUpperCase(),
    path,
    id: typeof operation.operationId === 'string' ? operation.operationId : '',
    request: [
      ...queryMembers(parameters, resolve),
      ...describedMembers(jsonSchema(resolve(operation.requestBody)), resolve),
    ],
    statuses: successes.map(([status]) => Number(status)),
    response: bodyOf(successes),
    refusal: bodyOf(refusals),
  }
}

const queryMembers = (parameters: readonly JsonObject[], resolve: Parts['resolve']): DescribedMember[] =>
  parameters.flatMap(({ in: where, name, schema, required, explode }) => {
    if (where !== 'query') return []
    const members = explode === true ? describedMembers(schema, resolve) : []
    if (members.length > 0) return members
    return [{ segments: [String(name)], schema: resolve(schema), isRequired: required === true }]
  })

/** The schema of the JSON body of a request or a response; undefined where it has none. */
const jsonSchema = ({ content }: JsonObject): unknown => {
  const types = isJsonObject(content) ? Object.entries(content) : []
  const [, media] = types.find(([type]) => /^application\/([\w.+-]+\+)?json\b/.test(type)) ?? []
  return isJsonObject(media) ? media.schema : undefined
}
