import { getRequestListener } from '@hono/node-server'
import { createExecute } from '../operations/execute-call.ts'
import type { SecurityLayer } from '../options/options.ts'
import { createAccessTokens, tokenKeyOf } from './access-tokens.ts'
import type { ApiBindings } from './api-call.ts'
import type { ApiDependencies } from './api-dependencies.ts'
import { createApi, createKeySet } from './api-layer-order-and-routing.ts'
import { createClientCertificateReader, createTrustedProxies } from './client-certificate-from-tls-or-proxy.ts'
import type { CollectedRequest } from './collect-body.ts'
import { createApiLayers } from './create-api-layers.ts'
import { createOperationHandler } from './create-operation-handler.ts'
import { createDisabledLayers } from './disabled-layers.ts'
import { createFindShownOrganization } from './find-organization-of-refused-call.ts'
import type { RequestHandlers } from './listen.ts'
import { createRecordCall } from './record-call.ts'
import { toOriginForm } from './request-target-to-origin-form.ts'
import type { RequestValidator } from './request-validator.ts'
import { createMalformedHttpResponder } from './respond-to-malformed-http.ts'
import { routesOfEnvironment } from './routes.ts'
import { toSigningDialect } from './signature-rules-from-config.ts'
import { createTokenEndpoint } from './token-endpoint.ts'

/**
 * Composes the payment API of its parts, from the configuration and the store: creates layers, routes and tokens, and
 * returns its request handlers for TLS and for plain HTTP (D-70).
 */
export const composeApi = async (dependencies: ApiDependencies) => {
  const { config, installation, onError } = dependencies
  const dialect = toSigningDialect(config)
  const proxies = createTrustedProxies(config.clientCertFrom)
  const disabledLayers = createDisabledLayers(config, proxies)
  const findShownOrganization = createFindShownOrganization({
    readCertificate: createClientCertificateReader(proxies),
    identityCache: dependencies.identityCache,
  })
  const recordCall = createRecordCall(dependencies)
  const malformedHttp = createMalformedHttpResponder({
    ...dependencies,
    dialect,
    disabledLayers,
    findShownOrganization,
    recordCall,
  })
  const tokens = createAccessTokens({ ...dependencies, key: tokenKeyOf(installation) })
  const api = createApi({
    layers: createApiLayers({ ...dependencies, tokens, proxies, disabledLayers, dialect, recordCall }),
    routes: routesOfEnvironment(config.environment),
    keySet: await createKeySet(installation),
    tokenEndpoint: createTokenEndpoint(tokens, loadValidator),
    handler: createOperationHandler({
      ...dependencies,
      execute: createExecute(dependencies),
      loadValidator,
    }),
    dialects: dependencies.dialects,
    findShownOrganization,
    onError,
  })
  const handlersWithout = (disabled: readonly SecurityLayer[]): RequestHandlers => {
    let latest: CollectedRequest // the listener reports what it cannot parse at once, before it is called again
    const listener = getRequestListener((request, env) => api.fetch(request, env as unknown as ApiBindings), {
      errorHandler: error => malformedHttp.response(error, latest, disabled),
    })
    const onRequest: RequestHandlers['onRequest'] = (incoming, outgoing) => {
      toOriginForm(incoming)
      latest = incoming
      return listener(incoming, outgoing)
    }
    return { onRequest, onMalformedHttp: malformedHttp.write }
  }
  return {
    secure: handlersWithout(disabledLayers.tls),
    plain: handlersWithout(disabledLayers.plain),
    disabledLayers,
    /** Loads the request validator, which is deferred so that it does not delay the start. */
    warmUp: loadValidator,
  }
}

/** Loads the request validator, with ajv and the API description, on first use: it would delay the start. Simulators of a process share it. */
const loadValidator = (): Promise<RequestValidator> => {
  loading ??= import('./request-validator.ts').then(({ createRequestValidator }) => createRequestValidator())
  return loading
}

let loading: Promise<RequestValidator> | undefined
