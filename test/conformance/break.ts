import type { Next } from 'hono'
import type { RefusalName } from '../../contracts/protocol/reason-codes.ts'
import { SERVICE_VERSIONS } from '../../contracts/protocol/service-version.ts'
import { createClock } from '../../simulator/clock.ts'
import type { ApiContext, Call } from '../../simulator/http/call.ts'
import type { Ladder } from '../../simulator/http/ladder.ts'
import { beginCall } from '../../simulator/http/layers/begin-call.ts'
import { selectVersion } from '../../simulator/http/layers/select-version.ts'
import { createIds } from '../../simulator/ids.ts'
import { Refusal } from '../../simulator/refusal.ts'
import type { Reply } from '../../simulator/store/port.ts'
import { answering, answeringJson, type Sabotage } from './sabotage.ts'

type Body = Record<string, unknown>

/** A sabotage that remembers things, with nothing to remember at each start. */
export const remembering =
  (make: () => Sabotage): Sabotage =>
  (dataDir, hits) =>
    make()(dataDir, hits)

/** A call of this endpoint; of a payment's own reads by their last word. */
export const at =
  (...paths: readonly string[]) =>
  ({ incoming: { url = '' } }: Call): boolean =>
    paths.some(path => (path.startsWith('/') ? url.split('?')[0] === path : url.endsWith(`/${path}`)))

export const textOf = ({ body }: Call): string => body.toString('utf8')

export const headerOf = ({ incoming }: Call, name: string): string => String(incoming.headers[name] ?? '')

/** Refuses calls that nothing is wrong with, once certificate, signature and token let them pass; `now` is the caller's own time. */
export const turningAway =
  (isMeant: (call: Call, now: number) => boolean, refusal: RefusalName = 'INVALID_INPUT'): Sabotage =>
  (_dataDir, hits) => {
    const clock = createClock()
    const select = selectVersion(SERVICE_VERSIONS)
    const turned = (call: Call) => {
      if (!isMeant(call, clock.now(call.organization?.organizationId ?? ''))) return select(call)
      hits.count += 1
      throw new Refusal(refusal, 'version', 'No.')
    }
    return { clock, layers: { selectVersion: turned } }
  }

/** Answers some calls otherwise, whatever became of them. */
export const instead = (isMeant: (call: Call, reply: Reply) => boolean, change: (reply: Reply) => Reply): Sabotage =>
  answering((reply, call) => (isMeant(call, reply) ? change(reply) : undefined))

/** Refuses with another status or code, or lets pass what it would have refused. */
export const saying =
  (http: number, reasonCode?: string) =>
  (reply: Reply): Reply => ({
    http,
    body:
      reasonCode === undefined
        ? reply.body
        : reply.body.replace(/"reasonCode":"[^"]*"/, `"reasonCode":"${reasonCode}"`),
  })

/** Changes what some calls are told when they are served. */
export const telling = (isMeant: (call: Call) => boolean, change: (body: Body, call: Call) => object | undefined) =>
  answeringJson((body, reply, call) => (reply.http < 300 && isMeant(call) ? change(body, call) : undefined))

/** Changes headers and bytes of answers after they were signed. */
export const onTheWire =
  (
    change: (headers: Headers, body: string, call: Call) => string | undefined,
    isMeant = (_call: Call, status: number) => status < 300,
  ): Sabotage =>
  (_dataDir, hits) => {
    const ladder: Ladder = { tls: [], plain: [], of: () => [] }
    const begin = beginCall({ ids: createIds(), ladder, versions: SERVICE_VERSIONS })
    return {
      layers: {
        beginCall: async (c: ApiContext, next: Next) => {
          await begin(c, next)
          const { res } = c
          if (!isMeant(c.var.call, res.status)) return
          hits.count += 1
          const [headers, body] = [new Headers(res.headers), await res.text()]
          const changed = change(headers, body, c.var.call) ?? body
          c.res = undefined
          c.res = new Response(changed === '' ? null : changed, { status: res.status, headers })
        },
      },
    }
  }
