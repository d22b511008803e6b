import type { RequestDialect } from '../../client/client-dialect-options.ts'
import type { Exchange } from '../../client/http-exchange.ts'
import { choiceOf } from '../../dialect/decision-choices.ts'
import { valueAtPointer } from '../../dialect/json-pointer.ts'
import { requestPointer } from '../../harness/profile/create-request-dialect.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { type OperationName, startsPayment } from '../../operations.ts'
import { isJsonObject } from '../../protocol/canonical-json.ts'
import { parseJson } from '../../protocol/parse-json-keeping-big-integers.ts'

const ON_PAYMENTS: readonly OperationName[] = ['capture', 'cancel', 'refund']

/** Parses a body as sent; undefined where it is no JSON, as some checks send it. */
const jsonOf = (body: Uint8Array | undefined): unknown => {
  try {
    return parseJson(Buffer.from(body ?? []).toString())
  } catch {
    return undefined
  }
}

/**
 * Creates the pair by which captures, cancels and refunds repeat the reference of their payment, where a profile says
 * so (D-48): `note` takes the reference, `repeating` wraps the request dialect.
 */
export const createPaymentReferences = (profile: Profile) => {
  const isRepeated = choiceOf(profile, 'D-48') === 'of-payment'
  const references = new Map<string, unknown>()
  return {
    note: (exchange: Exchange): void => {
      const { endpoint, body } = exchange.request
      if (!isRepeated || !startsPayment(endpoint)) return
      const transactionId = findField(profile, exchange, `${endpoint}.transactionId`)
      if (transactionId === undefined) return
      const at = requestPointer(profile, endpoint, 'clientTransactionId')
      references.set(String(transactionId), valueAtPointer(jsonOf(body), at))
    },
    repeating: (dialect: RequestDialect): RequestDialect => ({
      ...dialect,
      json: (endpoint, body) => {
        if (!ON_PAYMENTS.includes(endpoint) || !isJsonObject(body)) return dialect.json(endpoint, body)
        const clientTransactionId = references.get(String(body.transactionId))
        return dialect.json(endpoint, clientTransactionId === undefined ? body : { ...body, clientTransactionId })
      },
    }),
  }
}
