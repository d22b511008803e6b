import type { Socket } from 'node:net'
import { type Config, SECURITY_LAYERS, type SecurityLayer } from '../options/options.ts'
import type { ApiCall } from './api-call.ts'
import type { TrustedProxies } from './client-certificate-from-tls-or-proxy.ts'

/** The security layers that are disabled, by kind of connection (5, D-70). */
export type DisabledLayers = {
  /** Disabled over TLS. */
  tls: readonly SecurityLayer[]
  /** Disabled over plain HTTP: the certificate layer always, because only a trusted proxy can forward a certificate. */
  plain: readonly SecurityLayer[]
  /** Disabled for a connection. */
  of(socket: Socket): readonly SecurityLayer[]
}

/** Creates the look-up of the security layers that are disabled on a connection (5, D-70). */
export const createDisabledLayers = ({ layers }: Pick<Config, 'layers'>, proxies: TrustedProxies): DisabledLayers => {
  const tls = SECURITY_LAYERS.filter(layer => !layers.includes(layer))
  const plain = SECURITY_LAYERS.filter(layer => layer === 'certificate' || tls.includes(layer))
  return { tls, plain, of: socket => ('encrypted' in socket || proxies.include(socket) ? tls : plain) }
}

/** A disabled security layer; `url` is that of plain HTTP where it is disabled there only. */
export type LayerOff = { layer: SecurityLayer; url?: string }

/** Lists the disabled security layers, those over plain HTTP where there is such a URL. */
export const listDisabledLayers = ({ tls, plain }: DisabledLayers, plainUrl: string | undefined): readonly LayerOff[] =>
  SECURITY_LAYERS.flatMap(layer => {
    if (tls.includes(layer)) return [{ layer }]
    return plainUrl !== undefined && plain.includes(layer) ? [{ layer, url: plainUrl }] : []
  })

/** Names a disabled security layer for people. */
export const describeLayerOff = ({ layer, url }: LayerOff): string => (url === undefined ? layer : `${layer} at ${url}`)

/**
 * Returns the `assay-layers` response header, which lists the disabled security layers; no header if none is disabled.
 */
export const disabledLayersHeader = (off: readonly SecurityLayer[]): Record<string, string> =>
  off.length === 0 ? {} : { 'assay-layers': off.map(layer => `${layer}=off`).join(', ') }

/** Wraps a security layer so that `instead` runs in its place where it is disabled (D-70). */
export const skipIfDisabled =
  <Call extends ApiCall, Result>(name: SecurityLayer, layer: (call: Call) => Result, instead: typeof layer) =>
  (call: Call): Result =>
    call.disabledLayers.includes(name) ? instead(call) : layer(call)
