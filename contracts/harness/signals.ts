import type { Exchange } from '../client/exchange.ts'

/** The service did something else than the check asks for. */
export class Mismatch extends Error {
  readonly expected: string
  readonly got: string
  readonly exchange: Exchange | undefined
  constructor(expected: string, got: string, exchange?: Exchange) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
    this.exchange = exchange
  }
}

/** The profile does not say where to look, or says it wrongly: untestable. */
export class Open extends Error {
  readonly exchange: Exchange | undefined
  constructor(message: string, exchange?: Exchange) {
    super(message)
    this.exchange = exchange
  }
}

/** Something that the check builds on did not happen. */
export class Blocked extends Error {
  readonly exchange: Exchange | undefined
  constructor(message: string, exchange?: Exchange) {
    super(message)
    this.exchange = exchange
  }
}

/** The transport, not the service, kept the evidence away. */
export class Inconclusive extends Error {
  readonly exchange: Exchange | undefined
  constructor(message: string, exchange?: Exchange) {
    super(message)
    this.exchange = exchange
  }
}
