import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { refuseLargeBody } from '../control/body-limit.ts'
import { checkHostAndOrigin } from '../control/host-and-origin-check.ts'
import { addSecurityHeaders, SECURITY_HEADERS } from '../control/security-headers-and-error-response.ts'
import type { ApiBindings } from '../http/api-call.ts'
import type { RequestHandlers } from '../http/listen.ts'
import type { Config } from '../options/options.ts'
import { loadPagesApp, type PagesAppParts } from './load-pages-app.ts'

type Parts = Omit<PagesAppParts, 'pagesUrl'> & { config: Config; isReady: () => Promise<boolean> }

/** Creates the handler of hosted pages, portal, control, /health and /ready. */
export const createPagesHandler = ({ config, isReady, ...parts }: Parts): RequestHandlers['onRequest'] => {
  const respondFailed = (error: Error, c: Context): Response => {
    parts.onError(error)
    return c.text('The service failed unexpectedly.\n', 500)
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
  const pages = new Hono<{ Bindings: ApiBindings }>()
  pages.use(addSecurityHeaders)
  pages.get('/health', c => c.json({ status: 'ok' }))
  pages.get('/ready', async c =>
    (await isReady()) ? c.json({ status: 'ready' }) : c.json({ status: 'not ready' }, 503),
  )
  pages.use(checkHostAndOrigin(config))
  pages.use(refuseLargeBody(parts.token))
  pages.all('*', async c => (await loadOnce()).fetch(c.req.raw, c.env))
  pages.onError(respondFailed)
  return getRequestListener((request, env) => pages.fetch(request, env as unknown as ApiBindings), {
    errorHandler: () =>
      new Response('The request cannot be read as HTTP.\n', {
        status: 400,
        headers: { ...SECURITY_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' },
      }),
  })
}
