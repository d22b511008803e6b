import { describeExchange, type Exchange, isSuccess, responseJson } from './http-exchange.ts'
import { BUSY_STATUSES } from './retry-policy.ts'

/** Error of a call that yielded no usable response; `exchange` holds all that went over the wire. */
export class CallError extends Error {
  /** Private, so that an uncaught error prints its message and not the whole exchange. */
  readonly #exchange: Exchange
  constructor(exchange: Exchange, why: string) {
    super(`${describeExchange(exchange)}: ${why}`)
    this.#exchange = exchange
  }

  get exchange(): Exchange {
    return this.#exchange
  }
}

/** Error of a call that got no response: the transport failed or timed out. */
export class NoResponse extends CallError {
  constructor(exchange: Exchange) {
    super(exchange, exchange.transportError?.message ?? 'no response')
  }
}

/** Error of a token call that was refused; the message quotes the service, then says what helps (5.5, 7.1). */
export class TokenRefused extends CallError {
  constructor(exchange: Exchange) {
    super(exchange, `${describeRefusal(exchange)}no token was given, ${adviceFor(exchange.response?.status ?? 0)}`)
  }
}

const NOT_AUTHENTICATED: readonly number[] = [400, 401, 403]

const adviceFor = (status: number): string => {
  if (NOT_AUTHENTICATED.includes(status)) return 'check the certificate first and then the signature'
  return BUSY_STATUSES.includes(status) || status >= 500 ? 'retry the call' : 'check that this is the token endpoint'
}

/** Returns the message and reasonCode of a refusal; empty where the response is no refusal of the contract. */
const describeRefusal = (exchange: Exchange): string => {
  const { statusInfo } = (responseJson(exchange) ?? {}) as RefusalBody
  return statusInfo?.message ? `"${statusInfo.message}" (${statusInfo.reasonCode ?? 'no code'}); ` : ''
}

type RefusalBody = { statusInfo?: { message?: string; reasonCode?: string } }

/** Error of a response whose signature does not verify (5.4). */
export class UntrustedResponse extends CallError {}

/** Error of a response that nobody can verify, as the service's key set was not read or has no key; `exchange` is its call. */
export class UnreadableKeySet extends UntrustedResponse {
  constructor(exchange: Exchange) {
    const what = isSuccess(exchange.response?.status) ? 'holds no EC key with a kid' : 'could not be read'
    super(exchange, `the key set ${what}, without which no signature of the service is verified: try again`)
  }
}
