import type { DialectLines } from '../dialect/dialect-lines.ts'
import { createRequestLens } from '../dialect/request-lens.ts'
import { createResponseLens } from '../dialect/response-lens.ts'
import { readHeaders, signatureHeaderNames } from '../dialect/signature-header-names.ts'
import { type Exchange, responseJson } from './http-exchange.ts'
import type { MerchantOptions } from './merchant-client.ts'

/** What a merchant client says and understands of a service's language. */
type ClientLanguage = {
  /** Options by which the client speaks it. */
  options: MerchantOptions
  /** The JSON of a response in the document's members; undefined where it has none. */
  read(exchange: Exchange): unknown
  /** An exchange whose response has its signature headers under the names of RFC 9421 and RFC 9530. */
  nameHeaders(exchange: Exchange): Exchange
}

const OUR_OWN: ClientLanguage = { options: {}, read: responseJson, nameHeaders: exchange => exchange }

/** Creates the language of a client from lines of a profile; without lines it is our own. */
export const createClientLanguage = (lines: DialectLines = {}): ClientLanguage => {
  if (Object.keys(lines).length === 0) return OUR_OWN
  const { paths, dialect, responses, keySet } = lines
  const lens = createResponseLens(lines)
  return {
    options: {
      ...(paths && { paths }),
      ...(dialect && { dialect }),
      ...(responses && { responses }),
      isKeySetProtected: keySet?.protected === true,
      requestDialect: { ...createRequestLens(lines), secretMembers: [] },
    },
    read: exchange => {
      const { endpoint = 'token' } = exchange.request
      const isServed = (exchange.response?.status ?? 0) < 300
      return lens.read(isServed ? endpoint : 'refusal', responseJson(exchange))
    },
    nameHeaders: exchange => {
      const { response } = exchange
      const names = signatureHeaderNames(lines)
      return response && lines.headers
        ? { ...exchange, response: { ...response, headers: readHeaders(response.headers, names) } }
        : exchange
    },
  }
}
