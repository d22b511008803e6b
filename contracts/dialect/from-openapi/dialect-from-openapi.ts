import { OPERATIONS, type OperationName } from '../../operations.ts'
import type { DialectLines } from '../dialect-lines.ts'
import { createSpokenContext, type OpenApiObject } from '../openapi/spoken-context.ts'
import { type DescribedOperation, describedOperations } from './described-operations.ts'
import { constantLines, constantsOfRequests, enumLines, formLines, pairsOf } from './enum-format-and-constant-lines.ts'
import { fieldLines, refusalLines, requestLines, responseLines } from './lines-of-messages.ts'
import { matchOperations, type Unplaced } from './match-operations.ts'
import { envelopeOf, readRefusal, readRequests, readResponses, undescribedResponses } from './read-messages.ts'
import { unplacedMembers } from './unplaced-members.ts'

/**
 * Result of reading a dialect from an OpenAPI document: the profile lines that it makes clear, and what it leaves
 * unclear.
 */
export type DialectFromOpenApi = { lines: DialectLines; unplaced: readonly Unplaced[] }

/** Lines by which status has the sums that tell its stages apart, so that they are looked for. */
const WITH_SUMS: DialectLines = { fields: { status: { captured: '/captured' } } }

/**
 * Reads the shape of a dialect from the OpenAPI 3.0 or 3.1 document of a deployment, as far as names and types make it clear.
 * `document` is contracts/openapi.yaml, parsed. Throws DescriptionError where a document cannot be read.
 */
export const dialectFromOpenApi = (description: unknown, document: OpenApiObject): DialectFromOpenApi => {
  const described = describedOperations(description)
  const own = createSpokenContext(WITH_SUMS, document)
  const { found, unplaced } = matchOperations(described)
  const envelope = envelopeOf(found)
  const [requests, responses, refusal] = [
    readRequests(own, found),
    readResponses(own, found, envelope),
    readRefusal(own, found),
  ]
  const naming = namingOf([...found.values()])
  const { errors, refusal: ownRefusal } = refusalLines(refusal, naming)
  const pairs = pairsOf([...requests.values(), ...responses.values(), refusal])
  const { enums, unplaced: words } = enumLines(pairs)
  const { unplaced: forms, ...values } = formLines(pairs)
  const status = responses.get('initiate')?.found.get('status')
  const declined = status && {
    at: `/${[...(envelope === undefined ? [] : [envelope]), ...status.segments].join('/')}`,
    words: [enums.status?.DECLINED ?? 'DECLINED'],
  }
  const constants = constantsOfRequests(requests)
  const always = constantLines(constants)
  const lines = {
    paths: pathsOf(found),
    requests: { ...requestLines(requests, naming), ...(isFilled(always) && { always }) },
    ...naming,
    members: { ...responseLines(responses, naming, envelope), ...(isFilled(ownRefusal) && { refusal: ownRefusal }) },
    ...values,
    fields: fieldLines(responses, envelope),
    enums,
    success: successOf(found),
    errors: { ...errors, ...(declined && { declined }) },
  } as DialectLines
  return {
    lines: Object.fromEntries(
      Object.entries(lines).filter(([, value]) => typeof value !== 'object' || isFilled(value)),
    ),
    unplaced: [
      ...unplaced,
      ...unclearPaths(found),
      ...undescribedResponses(own, found),
      ...unplacedMembers({ requests, responses, refusal, constants }),
      ...words,
      ...forms,
    ],
  }
}

const isFilled = (value: object): boolean => Object.keys(value).length > 0

const parametersIn = (path: string): number => path.match(/\{[^{}]+\}/g)?.length ?? 0

/** The paths of which several parameters may be the payment. */
const unclearPaths = (found: ReadonlyMap<OperationName, DescribedOperation>): Unplaced[] =>
  [...found].flatMap(([name, { method, path }]) =>
    parametersIn(path) > 1
      ? [{ place: `paths.${name}`, reason: `${method} ${path} has several parameters, and each may be the payment` }]
      : [],
  )

/** The clear paths that differ from ours; the parameter of a payment has the document's name. */
const pathsOf = (found: ReadonlyMap<OperationName, DescribedOperation>): Record<string, string> =>
  Object.fromEntries(
    [...found].flatMap(([name, { method, path }]) => {
      if (parametersIn(path) > 1) return []
      const { method: ownMethod, path: ownPath } = OPERATIONS[name]
      const named = path.replace(/\{[^{}]+\}/, '{transactionId}')
      const spelt = method === ownMethod ? named : `${method} ${named}`
      return spelt === ownPath ? [] : [[name, spelt]]
    }),
  )

const successOf = (found: ReadonlyMap<OperationName, DescribedOperation>): Record<string, number[]> =>
  Object.fromEntries(
    [...found].flatMap(([name, { statuses }]) =>
      statuses.length > 0 && !(statuses.length === 1 && statuses[0] === 200) ? [[name, [...statuses]]] : [],
    ),
  )

/** How names of several words are written: as most of them are. */
const namingOf = (operations: readonly DescribedOperation[]): Pick<DialectLines, 'naming'> => {
  const members = operations.flatMap(({ id, request, response }) => (id === 'token' ? [] : [...request, ...response]))
  const names = members.flatMap(({ segments, items = [] }) => [...segments, ...items.flatMap(item => item.segments)])
  const count = (pattern: RegExp) => names.filter(name => pattern.test(name)).length
  return count(/[a-z]_[a-z]/) > count(/[a-z][A-Z]/) ? { naming: 'snake_case' } : {}
}
