import { type AcceptedResponseDialect, acceptedResponseDialect } from '../protocol/match-signature-dialect.ts'
import { type ResponseVerdict, verifyResponse } from '../protocol/verify-response.ts'
import type { Exchange } from './http-exchange.ts'
import type { KeySetCache, VerifyingKeys } from './service-key-set.ts'

/** Verifies the signature of a recorded response (5.4), with any signature dialect unless one is given (C7). */
export const verifyRecordedResponse = async (
  { response }: Exchange,
  keys: VerifyingKeys,
  dialect: AcceptedResponseDialect = ANY_DIALECT,
): Promise<ResponseVerdict> => {
  if (!response) return { ok: false, message: 'there is no response' }
  const { status, headers, body } = response
  return verifyResponse({ status, header: name => headers[name], body }, keyId => keys.get(keyId), dialect)
}

/** The signature dialect that accepts both readings of the base and both encodings, as both are in use (C7). */
export const ANY_DIALECT = acceptedResponseDialect()

/** Creates a verifier of response signatures that fetches keys through a cache (5.4). */
export const createResponseVerifier =
  (keyCache: KeySetCache, dialect?: AcceptedResponseDialect) =>
  async (exchange: Exchange): Promise<ResponseVerdict> =>
    verifyRecordedResponse(exchange, await keyCache(exchange.response?.headers['signature-input']), dialect)
