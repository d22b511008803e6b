import type { MiddlewareHandler } from 'hono'
import type { Guard } from '../../options.ts'
import type { ApiEnvironment, Call } from '../call.ts'

/** A layer that calls need not pass where it is switched off; `instead` finds out what it would have found out (D-70). */
export const unlessOff =
  (
    guard: Guard,
    layer: MiddlewareHandler<ApiEnvironment>,
    instead: (call: Call) => Promise<void> | void = () => undefined,
  ): MiddlewareHandler<ApiEnvironment> =>
  async (c, next) => {
    if (!c.get('call').off.includes(guard)) return layer(c, next)
    await instead(c.get('call'))
    await next()
  }
