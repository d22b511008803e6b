import { describeExchange, type Exchange, responseJson } from './http-exchange.ts'

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

/** Error of a token call that was refused; the message quotes the service, then says what 5.5 recommends to check first. */
export class TokenRefused extends CallError {
  constructor(exchange: Exchange) {
    super(
      exchange,
      `${describeRefusal(exchange)}no token was given, check the certificate first and then the signature`,
    )
  }
}

/** Returns the message and reasonCode of a refusal; empty where the response is no refusal of the contract. */
const describeRefusal = (exchange: Exchange): string => {
  const { statusInfo } = (responseJson(exchange) ?? {}) as RefusalBody
  return statusInfo?.message ? `"${statusInfo.message}" (${statusInfo.reasonCode ?? 'no code'}); ` : ''
}

type RefusalBody = { statusInfo?: { message?: string; reasonCode?: string } }

/** Error of a response whose signature does not verify (5.4). */
export class UntrustedResponse extends CallError {}
