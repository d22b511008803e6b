import type { MiddlewareHandler } from 'hono'
import { pause } from '../../clock.ts'
import type { CallVariety, Variety } from '../../variety/variety.ts'
import type { ApiEnvironment } from '../call.ts'

/** Gives every call its variety (9), and every answer that no operation has shaped: refusals, tokens, keys. */
export const varyAnswers =
  (variety: Variety): MiddlewareHandler<ApiEnvironment> =>
  async (c, next) => {
    const call = c.get('call')
    let unusual: CallVariety | undefined
    call.variety = () => {
      unusual ??= variety.forCall(call.organization?.organizationId ?? '')
      return unusual
    }
    await next()
    const { shape, delay } = call.variety()
    const late = delay()
    const { reply } = call
    const isShaped = call.replayed !== undefined
    if (reply && !isShaped && reply.contentType === undefined) call.reply = { ...reply, body: shape(reply.body) }
    if (late > 0) await pause(late, c.req.raw.signal)
  }
