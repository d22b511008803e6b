import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { AddressBook } from './addresses.ts'
import { createBodyLimit } from './control/body-limit.ts'
import { createControlToken } from './control/control-token.ts'
import { guardOrigin } from './control/guard.ts'
import { SAFE, safeHeaders } from './control/safe-headers.ts'
import { sayNo } from './control/say-no.ts'
import type { Bindings } from './http/call.ts'
import { listen } from './http/listen.ts'
import { loadSite } from './load-site.ts'
import type { Operator } from './operator/operator.ts'
import type { Config } from './options.ts'

type Parts = {
  config: Config
  operator: Operator
  addresses: AddressBook
  layersOff: readonly string[]
  isReady: () => Promise<boolean>
  onFault: (error: unknown) => void
}

/** Pages, control and health over plain HTTP, for browsers and scripts on the operator's side. */
export const openPages = ({ config, operator, addresses, layersOff, isReady, onFault }: Parts) => {
  const { pagesUrl, controlToken } = config
  const token = createControlToken(controlToken, pagesUrl?.startsWith('https:'))
  const bodyLimitOf = createBodyLimit(token)
  const pages = new Hono<{ Bindings: Bindings }>()
  pages.use(safeHeaders)
  pages.get('/health', c => c.json({ status: 'ok' }))
  pages.get('/ready', async c =>
    (await isReady()) ? c.json({ status: 'ready' }) : c.json({ status: 'not ready' }, 503),
  )
  pages.use(guardOrigin(config))
  pages.use(async (c, next) =>
    c.env.incoming.bodyTooLarge
      ? sayNo(c, `The body is larger than ${bodyLimitOf(c.env.incoming)} bytes.`, 413)
      : next(),
  )
  const failed = (error: Error, c: Context): Response => {
    onFault(error)
    return c.text('The service failed unexpectedly.\n', 500)
  }
  let loading: ReturnType<typeof loadSite> | undefined
  pages.all('*', async c => {
    loading ??= loadSite({ operator, addresses, layersOff, pagesUrl, token, onFault })
      .then(site => site.onError(failed))
      .catch(error => {
        loading = undefined // who asks next tries again
        throw error
      })
    return (await loading).fetch(c.req.raw, c.env)
  })
  pages.onError(failed)
  const listener = getRequestListener((request, env) => pages.fetch(request, env as unknown as Bindings), {
    errorHandler: () =>
      new Response('The request cannot be read as HTTP.\n', {
        status: 400,
        headers: { ...SAFE, 'Content-Type': 'text/plain; charset=utf-8' },
      }),
  })
  return listen(listener, { host: config.host, port: config.pagesPort, option: 'pages-port', bodyLimit: bodyLimitOf })
}
