import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import type { Hono } from 'hono'

/** Serves a Hono app over HTTP on a free local port for a test; returns its URL and a function that closes it. */
export async function serveOnFreePort(app: Hono): Promise<{ url: string; close(): Promise<void> }> {
  const server = await new Promise<ServerType>(resolve => {
    const listening = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(listening))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
