import type { MiddlewareHandler } from 'hono'
import { chooseVersion, type ServiceVersion } from '../../../contracts/protocol/service-version.ts'
import { stopwatch } from '../../clock.ts'
import type { Ids } from '../../ids.ts'
import type { ApiEnvironment, Call } from '../call.ts'
import { type Ladder, ladderHeaders } from '../ladder.ts'

type Parts = { ids: Ids; ladder: Ladder; versions: readonly ServiceVersion[] }

/** Where every call begins: what it is, what it need not pass, and what its answer tells in any case (D-68, D-70). */
export const beginCall =
  ({ ids, ladder, versions }: Parts): MiddlewareHandler<ApiEnvironment> =>
  (c, next) => {
    const { incoming } = c.env
    const off = ladder.of(incoming.socket)
    const { version } = chooseVersion(versions, incoming.headers['service-version']?.toString())
    const call: Call = {
      callId: ids.uuid(),
      elapsed: stopwatch(),
      incoming,
      body: incoming.rawBody ?? Buffer.alloc(0),
      off,
      version,
      answerHeaders: { 'service-version': version.version, ...ladderHeaders(off) },
    }
    c.set('call', call)
    return next()
  }
