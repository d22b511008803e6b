import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { isUnsupported } from './unsupported-operation.ts'

/**
 * Expects a refund for which nothing is left to be refused: by the state of its payment (R5, 7.1), as not supported (1), or,
 * where an amount above the rest is a 400 (D-41), as that.
 */
export const expectNothingLeftToRefund = (refund: Exchange, expect: Expect): void => {
  const { profile } = expect
  expect.response(refund)
  if (isUnsupported(profile, refund)) return
  const isAmount = refund.response?.status === 400 && profile.decisions?.['D-41'] === '400'
  expect.refused(refund, isAmount ? { code: '4' } : { status: 422, or: 409, code: '5', core: true })
}
