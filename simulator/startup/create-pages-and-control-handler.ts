import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { packageVersion } from '../../contracts/package-version.ts'
import { refuseLargeBody } from '../control/body-limit.ts'
import { checkHostAndOrigin } from '../control/host-and-origin-check.ts'
import { noteUseOfOrganization } from '../control/note-use-of-organization.ts'
import { requireMetricsToken } from '../control/require-control-token.ts'
import { addSecurityHeaders, errorResponse, SECURITY_HEADERS } from '../control/security-headers-and-error-response.ts'
import type { ApiBindings } from '../http/api-call.ts'
import { createEventLoopTurns } from '../http/event-loop-turns.ts'
import type { RequestHandlers } from '../http/listen.ts'
import type { Config } from '../options/options.ts'
import type { ReplicaLoad } from '../store/replica-coordination-store.ts'
import { ControlError } from '../support/control-error.ts'
import { logControlActs } from '../telemetry/log-control-acts.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { loadPagesApp, type PagesAppParts } from './load-pages-and-control-app.ts'

type Parts = Omit<PagesAppParts, 'pagesUrl'> & {
  config: Config
  isReady: () => Promise<boolean>
  metrics: Metrics | undefined
  logger: Logger | undefined
  measureLoad: () => Promise<ReplicaLoad | undefined>
  /** Notes that an organization is used, where those that are not are removed. */
  noteUse: ((organizationId: string, isNew: boolean) => void) | undefined
}

const FAILED = 'The service failed unexpectedly: its output says why. Try again later.'
const NOT_READY = 'The sandbox or its database is not ready: try again once GET /ready is 200.'

/** Creates the handler of hosted pages, portal, control, /health, /ready, /version and /metrics. */
export const createPagesHandler = ({
  config,
  isReady,
  metrics,
  logger,
  measureLoad,
  noteUse,
  ...parts
}: Parts): RequestHandlers['onRequest'] => {
  const respondFailed = async (error: Error, c: Context): Promise<Response> => {
    if (error instanceof ControlError && error.kind === 'busy') return errorResponse(c, error.message, 429)
    parts.onError(error)
    if (await isReady().catch(() => false)) return errorResponse(c, FAILED, 500)
    return errorResponse(c, NOT_READY, 503)
  }
  let loading: ReturnType<typeof loadPagesApp> | undefined
  const loadOnce = () => {
    loading ??= loadPagesApp({ ...parts, pagesUrl: config.pagesUrl })
      .then(app => app.onError(respondFailed))
      .catch(error => {
        loading = undefined // the next call tries again
        throw error
      })
    return loading
  }
  let app: Awaited<ReturnType<typeof loadOnce>> | undefined
  const takeTurn = createEventLoopTurns()
  /** The calls that waited for the code go on in turns: all at once would hold those of the API. */
  const loadInTurn = async () => {
    app = await loadOnce()
    await new Promise<void>(takeTurn)
    return app
  }
  const pages = new Hono<{ Bindings: ApiBindings }>()
  pages.use(addSecurityHeaders)
  pages.get('/health', c => c.json({ status: 'ok' }))
  pages.get('/version', c => c.json({ version: packageVersion(), node: process.version }))
  pages.get('/ready', async c =>
    (await isReady()) ? c.json({ status: 'ready' }) : c.json({ status: 'not ready' }, 503),
  )
  if (logger) pages.use(logControlActs(logger, parts.token)) // what the next one refuses has a line too
  pages.use(checkHostAndOrigin(config))
  if (noteUse) pages.use(noteUseOfOrganization(noteUse, parts.token))
  pages.use(refuseLargeBody(parts.token))
  pages.get('/metrics', requireMetricsToken(config.metricsToken, parts.token), c =>
    respondMetrics(c, metrics, measureLoad),
  )
  pages.all('*', async c => (app ?? (await loadInTurn())).fetch(c.req.raw, c.env))
  pages.onError(respondFailed)
  return getRequestListener((request, env) => pages.fetch(request, env as unknown as ApiBindings), {
    errorHandler: () =>
      new Response('The request cannot be read as HTTP.\n', {
        status: 400,
        headers: { ...SECURITY_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' },
      }),
  })
}

/** Responds with what Prometheus reads; 404 with the cure where nothing is measured. */
const respondMetrics = async (c: Context, metrics: Metrics | undefined, load: Parts['measureLoad']) => {
  if (!metrics)
    return errorResponse(c, 'Nothing is measured: start with --metrics on, in a container with ASSAY_METRICS=on.', 404)
  const { text, contentType } = await metrics.read(load)
  return c.body(text, 200, { 'Content-Type': contentType })
}
