import { type Exchange, lineOf } from './exchange.ts'

/** Why a call yielded nothing to work with; `exchange` holds all that went over the wire. */
export class CallError extends Error {
  readonly exchange: Exchange
  constructor(exchange: Exchange, why: string) {
    super(`${lineOf(exchange)}: ${why}`)
    this.exchange = exchange
  }
}

/** The transport gave no answer. */
export class NoAnswer extends CallError {
  constructor(exchange: Exchange) {
    super(exchange, exchange.fault?.message ?? 'no answer')
  }
}

/** The service gave no token, so no further call can be made (5.5 says what to check first). */
export class TokenRefused extends CallError {
  constructor(exchange: Exchange) {
    super(exchange, 'no token was given, check the certificate first and then the signature')
  }
}

/** The answer is not proven to be the service's own (5.4). */
export class UntrustedAnswer extends CallError {}
