import type { DialectLines } from '../dialect/dialect-lines.ts'
import { readHeaders, signatureHeaderNames } from '../dialect/rename-signature-headers.ts'
import { createRequestLens } from '../dialect/request-lens.ts'
import { createResponseLens } from '../dialect/response-lens.ts'
import { secretMemberNames } from '../dialect/secret-member-names.ts'
import type { OperationName, OperationPaths } from '../operations.ts'
import type { ResponseDialect } from '../protocol/match-signature-dialect.ts'
import type { SigningOptions } from '../protocol/sign-messages.ts'
import { type Exchange, responseJson } from './http-exchange.ts'

/** Translator of requests to the member names and values of a deployment that differs from the description. */
export type RequestDialect = {
  json(endpoint: OperationName, body: unknown): unknown
  query(endpoint: OperationName, query: Readonly<Record<string, string>>): Record<string, string>
  /** Names of secret members in that deployment, which no report may show. */
  secretMembers: readonly string[]
}

/** Options of a merchant client that the service's dialect decides. */
export type DialectOptions = {
  /** Paths of endpoints that differ from the description, such as `/pay`, or `GET /payments` for search. */
  paths?: OperationPaths
  /** How requests are signed. */
  dialect?: Omit<SigningOptions, 'created'>
  /** How this deployment signs responses and webhooks; any known way where a member is missing. */
  responses?: ResponseDialect
  /** Whether the key set is served only to calls with an access token (4). */
  isKeySetProtected?: boolean
  /** Translation of requests for this deployment. */
  requestDialect?: RequestDialect
}

/** What a merchant client says and understands of a service's dialect. */
type ClientDialect = {
  /** Options by which the client speaks it. */
  options: DialectOptions
  /** The JSON of a response in the document's members; undefined where it has none. */
  read(exchange: Exchange): unknown
  /** The JSON of a webhook in the document's members. */
  readWebhook(spoken: unknown): unknown
  /** An exchange whose response has its signature headers under the names of RFC 9421 and RFC 9530. */
  nameHeaders(exchange: Exchange): Exchange
}

const OUR_OWN: ClientDialect = {
  options: {},
  read: responseJson,
  readWebhook: spoken => spoken,
  nameHeaders: exchange => exchange,
}

/** Creates the dialect options of a merchant client from lines of a profile; without lines it is our own dialect. */
export const createClientDialect = (lines: DialectLines = {}): ClientDialect => {
  if (Object.keys(lines).length === 0) return OUR_OWN
  const { paths, dialect, responses, keySet } = lines
  const lens = createResponseLens(lines)
  return {
    options: {
      ...(paths && { paths }),
      ...(dialect && { dialect }),
      ...(responses && { responses }),
      isKeySetProtected: keySet?.protected === true,
      requestDialect: { ...createRequestLens(lines), secretMembers: secretMemberNames(lines) },
    },
    read: exchange => {
      const { endpoint = 'token' } = exchange.request
      const isServed = (exchange.response?.status ?? 0) < 300
      return lens.read(isServed ? endpoint : 'refusal', responseJson(exchange))
    },
    readWebhook: spoken => lens.read('webhook', spoken),
    nameHeaders: exchange => {
      const { response } = exchange
      const names = signatureHeaderNames(lines)
      return response && lines.headers
        ? { ...exchange, response: { ...response, headers: readHeaders(response.headers, names) } }
        : exchange
    },
  }
}
