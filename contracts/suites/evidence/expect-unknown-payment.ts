import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'

/** Expects 404 for an unknown payment (7.1); throws Untestable where a 400 may be about the form of the id (2.6). */
export const expectNotFound = (exchange: Exchange, expect: Expect, code?: string): void => {
  ensureIdFormJudged(exchange, expect)
  expect.refused(exchange, { status: 404, ...(code !== undefined && { code }) })
}

/** Throws Untestable where a 400 to an unknown id may be about the form of that id (2.6). */
export const ensureIdFormJudged = (exchange: Exchange, expect: Expect): void => {
  const { file, ids } = expect.profile
  if (expect.response(exchange).status !== 400 || ids?.unknownTransactionId !== undefined) return
  const cure = `name one of no payment, of the form that ids have here, as ids.unknownTransactionId in ${file}`
  throw new Untestable(
    `the id may have another form than those of this deployment: ${cure}`,
    exchange,
    'ids.unknownTransactionId',
  )
}
