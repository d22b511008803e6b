import type { IncomingMessage } from 'node:http'
import type { ServerOptions } from 'node:https'
import { listen } from '../http/listen.ts'
import type { Config } from '../options/options.ts'
import type { Resources } from './startup-context.ts'

type Parts = {
  config: Config
  tls: ServerOptions
  /** Largest request body to pages and control, in bytes. */
  pagesBodyLimit: (incoming: IncomingMessage) => number
  resources: Resources
}

/** Opens all ports, so that each server knows the others' numbers; they close together. Throws StartError. */
export const openPorts = async ({ config, tls, pagesBodyLimit, resources }: Parts) => {
  const { host, bodyLimit, plainPort } = config
  const opening = [
    listen({ host, port: config.apiPort, option: 'api-port', bodyLimit, tls }),
    listen({ host, port: config.pagesPort, option: 'pages-port', bodyLimit: pagesBodyLimit }),
    plainPort === undefined ? undefined : listen({ host, port: plainPort, option: 'plain-port', bodyLimit }),
  ] as const
  resources.defer(async () => {
    const opened = await Promise.allSettled(opening)
    await Promise.all(opened.map(server => server.status === 'fulfilled' && server.value?.close()))
  })
  const [api, pages, plain] = await Promise.all(opening)
  return { api, pages, plain }
}
