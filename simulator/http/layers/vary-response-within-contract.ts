import type { MiddlewareHandler } from 'hono'
import { pause } from '../../support/clock.ts'
import type { ApiEnvironment } from '../api-call.ts'
import type { CallVariation, SeededVariation } from '../variation/seeded-variation.ts'

/**
 * Creates the middleware that gives each call its conformant variation (9) and varies responses not made by an
 * operation.
 */
export const varyResponses =
  (variety: SeededVariation): MiddlewareHandler<ApiEnvironment> =>
  async (c, next) => {
    const call = c.get('call')
    let unusual: CallVariation | undefined
    call.variety = () => {
      unusual ??= variety.forCall(call.organization?.organizationId)
      return unusual
    }
    await next()
    const { shape, delay } = call.variety()
    const late = delay()
    const { reply } = call
    const isShaped = call.replayed !== undefined
    if (reply && !isShaped && reply.contentType === undefined)
      call.reply = { ...reply, body: shape(reply.body), document: undefined }
    if (late > 0) await pause(late, c.req.raw.signal)
  }
