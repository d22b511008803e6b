import type { MiddlewareHandler } from 'hono'
import { chooseVersion, type ServiceVersion } from '../../../contracts/protocol/api-versioning.ts'
import { stopwatch } from '../../support/clock.ts'
import type { DialectRegistry } from '../../support/dialect-registry.ts'
import type { Ids } from '../../support/ids.ts'
import type { ApiCall, ApiEnvironment } from '../api-call.ts'
import { type DisabledLayers, disabledLayersHeader } from '../disabled-layers.ts'

type Parts = {
  ids: Ids
  disabledLayers: DisabledLayers
  versions: readonly ServiceVersion[]
  dialects: DialectRegistry
}

/**
 * Creates the first middleware of the API, which makes the ApiCall of each request: id, disabled layers, version, fixed
 * headers (D-68, D-70).
 */
export const beginCall =
  ({ ids, disabledLayers, versions, dialects }: Parts): MiddlewareHandler<ApiEnvironment> =>
  (c, next) => {
    const { incoming } = c.env
    const disabled = disabledLayers.of(incoming.socket)
    const { version } = chooseVersion(versions, incoming.headers['service-version']?.toString())
    const call: ApiCall = {
      callId: ids.uuid(),
      elapsed: stopwatch(),
      incoming,
      body: incoming.rawBody ?? Buffer.alloc(0),
      disabledLayers: disabled,
      version,
      dialect: dialects.usual,
      responseHeaders: { 'service-version': version.version, ...disabledLayersHeader(disabled) },
    }
    c.set('call', call)
    return next()
  }
