import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiTlsOptions } from '../http/api-tls-options.ts'
import { createEventLoopTurns } from '../http/event-loop-turns.ts'
import { listen } from '../http/listen.ts'
import type { Config } from '../options/options.ts'
import type { Resources } from './startup-context.ts'

type Parts = {
  config: Config
  tls: ApiTlsOptions
  /** Largest request body to pages and control, in bytes. */
  pagesBodyLimit: (incoming: IncomingMessage) => number
  resources: Resources
}

/**
 * Opens all ports of the simulator, so that each server knows the others' numbers; they close together. TLS on the port
 * of the pages reaches the API, so that whoever reaches one mapped port reaches both. Throws StartError.
 */
export const openPorts = async ({ config, tls, pagesBodyLimit, resources }: Parts) => {
  const { host, bodyLimit, plainPort } = config
  const takeTurn = createEventLoopTurns()
  const apiOpening = listen({ host, port: config.apiPort, option: 'api-port', bodyLimit, tls, takeTurn })
  const onTls = (socket: Socket) => void apiOpening.then(server => server.accept(socket)).catch(() => socket.destroy())
  const opening = [
    apiOpening,
    listen({
      host,
      port: config.pagesPort,
      option: 'pages-port',
      bodyLimit: pagesBodyLimit,
      onTls,
      takeTurn,
    }),
    plainPort === undefined ? undefined : listen({ host, port: plainPort, option: 'plain-port', bodyLimit, takeTurn }),
  ] as const
  resources.defer(async () => {
    const opened = await Promise.allSettled(opening)
    await Promise.all(opened.map(server => server.status === 'fulfilled' && server.value?.close()))
  })
  const [api, pages, plain] = await Promise.all(opening)
  return { api, pages, plain }
}
