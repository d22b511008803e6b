import type { Exchange } from '../../client/http-exchange.ts'

/** Error of a service that did not do what the check expects: verdict fail or differs. */
export class Mismatch extends Error {
  readonly expected: string
  readonly got: string
  readonly exchange: Exchange | undefined
  /** Whether the document itself states what is violated, whatever decisions the check names. */
  readonly isSpecified: boolean
  constructor(expected: string, got: string, exchange?: Exchange, isSpecified = false) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
    this.exchange = exchange
    this.isSpecified = isSpecified
  }
}

/** Error of a profile that does not say where to look in a response, or says it wrongly: verdict untestable. */
export class Untestable extends Error {
  readonly exchange: Exchange | undefined
  /** Dotted path of the profile line that would cure it, such as `fields.status.state`, where one line would. */
  readonly line: string | undefined
  constructor(message: string, exchange?: Exchange, line?: string) {
    super(message)
    this.exchange = exchange
    this.line = line
  }
}

/** Error of a check that builds on something that did not happen: verdict blocked. */
export class Blocked extends Error {
  readonly exchange: Exchange | undefined
  constructor(message: string, exchange?: Exchange) {
    super(message)
    this.exchange = exchange
  }
}

/** Error of evidence that the transport, a 429 or a stop kept away: verdict inconclusive. */
export class Inconclusive extends Error {
  readonly exchange: Exchange | undefined
  constructor(message: string, exchange?: Exchange) {
    super(message)
    this.exchange = exchange
  }
}
