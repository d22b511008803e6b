import type { Next } from 'hono'
import { createDialect } from '../../../contracts/dialect/dialect.ts'
import type { ProviderOperation } from '../../../contracts/operations.ts'
import { SERVICE_VERSIONS } from '../../../contracts/protocol/api-versioning.ts'
import type { RefusalName } from '../../../contracts/protocol/reason-codes.ts'
import type { ApiCall, ApiContext, IdentifiedCall } from '../../../simulator/http/api-call.ts'
import type { DisabledLayers } from '../../../simulator/http/disabled-layers.ts'
import { beginCall } from '../../../simulator/http/layers/begin-call.ts'
import { checkServiceVersion } from '../../../simulator/http/layers/check-service-version.ts'
import type { Reply } from '../../../simulator/store/unit-of-work.ts'
import { createClock } from '../../../simulator/support/clock.ts'
import { createDialectRegistry } from '../../../simulator/support/dialect-registry.ts'
import { createIds } from '../../../simulator/support/ids.ts'
import { Refusal } from '../../../simulator/support/refusal.ts'
import type { Mutation } from './mutant.ts'
import { mutateJsonReply, mutateReply } from './simulator-mutations.ts'

type Body = Record<string, unknown>

/** Wraps a stateful mutation so that each start of a mutated simulator gets fresh state. */
export const withFreshState =
  (make: () => Mutation): Mutation =>
  (dataDir, hits) =>
    make()(dataDir, hits)

/**
 * Creates the predicate of a mutation whether a call is to one of these paths; one without a leading slash matches the
 * last segment.
 */
export const isCallTo =
  (...paths: readonly string[]) =>
  ({ incoming: { url = '' } }: ApiCall): boolean =>
    paths.some(path => (path.startsWith('/') ? url.split('?')[0] === path : url.endsWith(`/${path}`)))

export const bodyTextOf = ({ body }: ApiCall): string => body.toString('utf8')

export const requestHeader = ({ incoming }: ApiCall, name: string): string => String(incoming.headers[name] ?? '')

/**
 * Creates a mutation of the simulator that refuses valid calls after certificate, signature and token are accepted;
 * `now` is the organization's clock.
 */
export const refuseCalls =
  (isMeant: (call: ApiCall, now: number) => boolean, refusal: RefusalName = 'INVALID_INPUT'): Mutation =>
  (_dataDir, hits) => {
    const clock = createClock()
    const select = checkServiceVersion(SERVICE_VERSIONS)
    const turned = (call: IdentifiedCall) => {
      if (!isMeant(call, clock.now(call.organization.organizationId))) return select(call)
      hits.count += 1
      throw new Refusal(refusal, 'version', 'No.')
    }
    return { clock, layers: { selectVersion: turned } }
  }

/** Creates a mutation of the simulator that replaces the responses of matching calls; the operation itself has run. */
export const replaceReplies = (
  isMeant: (call: ApiCall, reply: Reply) => boolean,
  change: (reply: Reply) => Reply,
): Mutation => mutateReply((reply, call) => (isMeant(call, reply) ? change(reply) : undefined))

/** Copies a reply that a mutation changes, with this HTTP status and, where given, this reasonCode. */
export const withStatusAndCode =
  (http: number, reasonCode?: string) =>
  (reply: Reply): Reply => ({
    http,
    body:
      reasonCode === undefined
        ? reply.body
        : reply.body.replace(/"reasonCode":"[^"]*"/, `"reasonCode":"${reasonCode}"`),
  })

/** Creates a mutation of the simulator that changes the JSON body of successful responses to matching calls. */
export const mutateServedJson = (
  isMeant: (call: ApiCall) => boolean,
  change: (body: Body, call: ApiCall) => object | undefined,
) => mutateJsonReply((body, reply, call) => (reply.http < 300 && isMeant(call) ? change(body, call) : undefined))

/**
 * Creates a mutation of the simulator that changes headers and body of responses after they are signed; by default of
 * successful responses.
 */
export const mutateSignedResponse =
  (
    change: (headers: Headers, body: string, call: ApiCall) => string | undefined,
    isMeant = (_call: ApiCall, status: number) => status < 300,
  ): Mutation =>
  (_dataDir, hits) => {
    const disabledLayers: DisabledLayers = { tls: [], plain: [], of: () => [] }
    const dialects = createDialectRegistry(createDialect())
    const begin = beginCall({ ids: createIds(), disabledLayers, versions: SERVICE_VERSIONS, dialects })
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

/** Mutation: an idempotency key that met a refusal with this status on an operation is refused so ever after. */
export const refuseKeyEverAfter = (status: number, operation: ProviderOperation): Mutation =>
  withFreshState(() => {
    const refused = new Map<string, Reply>()
    return mutateReply((reply, call) => {
      if (!isCallTo(operation)(call)) return undefined
      const key = requestHeader(call, 'idempotency-key')
      const known = refused.get(key)
      if (key !== '' && reply.http === status) refused.set(key, reply)
      return known
    })
  })
