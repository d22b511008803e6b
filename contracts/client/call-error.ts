import { type Exchange, jsonOf, lineOf } from './exchange.ts'

/** Why a call yielded nothing to work with; `exchange` holds all that went over the wire. */
export class CallError extends Error {
  /** Private, so that an error nobody catches prints its sentence and not the whole exchange. */
  readonly #exchange: Exchange
  constructor(exchange: Exchange, why: string) {
    super(`${lineOf(exchange)}: ${why}`)
    this.#exchange = exchange
  }

  get exchange(): Exchange {
    return this.#exchange
  }
}

/** The transport gave no answer. */
export class NoAnswer extends CallError {
  constructor(exchange: Exchange) {
    super(exchange, exchange.fault?.message ?? 'no answer')
  }
}

/** The service gave no token, so no further call can be made: its own words, then what 5.5 says to check first. */
export class TokenRefused extends CallError {
  constructor(exchange: Exchange) {
    super(exchange, `${wordsOf(exchange)}no token was given, check the certificate first and then the signature`)
  }
}

/** What a refusal says for itself, with its code; nothing where the answer is no refusal of the contract. */
const wordsOf = (exchange: Exchange): string => {
  const { statusInfo } = (jsonOf(exchange) ?? {}) as Refusal
  return statusInfo?.message ? `"${statusInfo.message}" (${statusInfo.reasonCode ?? 'no code'}); ` : ''
}

type Refusal = { statusInfo?: { message?: string; reasonCode?: string } }

/** The answer is not proven to be the service's own (5.4). */
export class UntrustedAnswer extends CallError {}
