import type { MiddlewareHandler } from 'hono'
import { answerAs, chooseVersion, type ServiceVersion } from '../../../contracts/protocol/service-version.ts'
import { Refusal } from '../../refusal.ts'
import { type ApiEnvironment, headerOf } from '../call.ts'
import { clip } from '../clip.ts'

/** Refuses a Service-Version that is malformed or not served, and gives every answer the shape of its version (9). */
export const selectVersion =
  (versions: readonly ServiceVersion[]): MiddlewareHandler<ApiEnvironment> =>
  async (c, next) => {
    const call = c.get('call')
    const wanted = headerOf(call, 'service-version')
    const { version, fault } = chooseVersion(versions, wanted)
    if (fault)
      throw new Refusal('INVALID_INPUT', 'version', `Service-Version ${JSON.stringify(clip(wanted ?? ''))} ${fault}.`, {
        fields: { 'Service-Version': fault },
      })
    await next()
    const { reply, operation } = call
    if (reply && operation !== undefined && reply.http < 300)
      call.reply = { ...reply, body: answerAs(versions, version, operation, reply.body) }
  }
