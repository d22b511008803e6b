import { constants } from 'node:crypto'
import type { ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createExecute } from '../operations/execute.ts'
import type { Rules } from '../operations/operation.ts'
import { type Installation, serviceKey } from '../operator/installation.ts'
import type { Config, Guard } from '../options.ts'
import { createApi, keySetOf } from './api.ts'
import type { Bindings } from './call.ts'
import { createLayers } from './create-layers.ts'
import { createHandler } from './handle.ts'
import { createLadder, ladderWords } from './ladder.ts'
import { type Listening, listen } from './listen.ts'
import { loadValidate } from './load-validate.ts'
import { createProxies } from './proxies.ts'
import { routesIn } from './routes.ts'
import { createTokenCall } from './token-call.ts'
import { createTokens } from './tokens.ts'
import { createUnreadable } from './unreadable.ts'
import type { ApiWiring } from './wiring.ts'

/**
 * Builds the API and listens with mutual TLS (5.1): the certificate is asked for, and its absence answered by the
 * contract. Where a plain port is given, the same API listens there over HTTP as well (D-70).
 */
export const openApi = async (wiring: ApiWiring) => {
  const { config, installation, onFault } = wiring
  const key = serviceKey(installation, config.answerAlgorithm)
  const dialect = { reading: config.answerBase, encoding: config.answerEncoding }
  const proxies = createProxies(config.clientCertFrom)
  const ladder = createLadder(config, proxies)
  const unreadable = createUnreadable({ ...wiring, key, dialect, ladder })
  const tokens = createTokens({ ...wiring, key: tokenKey(installation) })
  const validate = loadValidate()
  const api = createApi({
    layers: createLayers({ ...wiring, tokens, proxies, ladder, key, dialect }),
    routes: routesIn(config.environment),
    keySet: await keySetOf(installation),
    tokenCall: createTokenCall(tokens),
    handler: createHandler({
      execute: createExecute(wiring),
      validate,
      addresses: wiring.addresses,
      versions: wiring.versions,
    }),
    onFault,
  })
  const listenOn = (port: number, option: string, off: readonly Guard[], tls?: ServerOptions): Promise<Listening> => {
    const listener = getRequestListener((request, env) => api.fetch(request, env as unknown as Bindings), {
      errorHandler: error =>
        unreadable.response(error instanceof Error ? error.message.toLowerCase() : 'it is malformed', off),
    })
    const onUnreadable = (socket: Socket, code: string) => void unreadable.write(socket, code)
    const { host, bodyLimit } = config
    return listen(listener, { host, port, option, bodyLimit, onUnreadable, ...(tls && { tls }) })
  }
  const secure = await listenOn(config.apiPort, 'api-port', ladder.tls, tlsOptions(wiring))
  const plain = await openPlain(config.plainPort, port => listenOn(port, 'plain-port', ladder.plain), secure)
  const plainUrl = plain && `http://localhost:${plain.port}`
  return {
    port: secure.port,
    plainUrl,
    layersOff: ladderWords(ladder, plainUrl),
    /** Loads what no start waits for, and the first call would. */
    warmUp: validate,
    close: async () => void (await Promise.all([secure.close(), plain?.close()])),
  }
}

/** Listens on the plain port, if there is one; where that fails, nobody listens at all. */
const openPlain = async (
  port: number | undefined,
  listenOn: (port: number) => Promise<Listening>,
  secure: Listening,
): Promise<Listening | undefined> => {
  if (port === undefined) return undefined
  try {
    return await listenOn(port)
  } catch (error) {
    await secure.close()
    throw error
  }
}

const tlsOptions = ({ config, installation, tls }: ApiWiring): ServerOptions => ({
  key: installation.server.privateKey,
  cert: installation.server.certificate,
  ca: installation.authorityCertificate,
  requestCert: true,
  rejectUnauthorized: false,
  minVersion: `TLSv${config.tlsMin}`,
  secureOptions: constants.SSL_OP_NO_TICKET, // a resumed session would bring along a certificate that nobody presented
  ...tls,
})

/** Tokens are signed ES256 whatever signs the answers (D-58). */
const tokenKey = (installation: Installation) => {
  const { publicKey } = installation.serviceKeys.find(({ algorithm }) => algorithm.jwa === 'ES256') ?? {}
  if (publicKey === undefined) throw new Error('The installation has no P-256 key.')
  return { privateKey: serviceKey(installation, 'ECDSA_SHA_256').privateKey, publicKey }
}

/** What operations obey, as configured. */
export const rulesOf = (config: Config, scenarios: Rules['scenarios']): Rules => ({
  scenarios,
  settleAfter: config.settleAfter,
  irisValidity: config.irisValidity,
  showLifecycle: config.lifecycle === 'on',
})
