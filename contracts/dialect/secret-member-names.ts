import { OPERATION_NAMES } from '../operations.ts'
import type { DialectLines } from './dialect-lines.ts'
import { createRequestLens, type RequestLens } from './request-lens.ts'
import { createResponseLens, type ResponseLens } from './response-lens.ts'

/** Members that no report may show: the code of a phone, and the token of a mandate (2.3, 2.5). */
const SECRETS = ['payerDetails.oneTimeCode', 'payerDetails.paymentToken']

type Lenses = { requests: Pick<RequestLens, 'spell'>; responses: Pick<ResponseLens, 'spell'> }

/** Returns the names that a dialect has for secret members, in any request, response or webhook; without the document's own. */
export const secretMemberNames = (
  lines: DialectLines,
  secrets: readonly string[] = SECRETS,
  { requests, responses }: Lenses = { requests: createRequestLens(lines), responses: createResponseLens(lines) },
): string[] => {
  const spelt = secrets.flatMap(secret => [
    ...OPERATION_NAMES.map(operation => requests.spell(operation, secret)),
    ...([...OPERATION_NAMES, 'webhook'] as const).map(message => responses.spell(message, secret)),
  ])
  const names = new Set(spelt.map(lastName))
  for (const secret of secrets) names.delete(lastName(secret))
  return [...names]
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1)
