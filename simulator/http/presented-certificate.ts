import { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { parseItem } from 'structured-headers'
import { bytesOf } from '../../contracts/protocol/structured-field.ts'
import { Refusal } from '../refusal.ts'
import type { Proxies } from './proxies.ts'

export type PresentedCertificate = (incoming: IncomingMessage) => X509Certificate | undefined

/** The certificate that a client presented: over its own connection, or as a proxy in front tells it (5.1, D-71). */
export const createPresentedCertificate = (proxies: Proxies): PresentedCertificate => {
  const connections = new WeakMap<Socket, X509Certificate>()
  return ({ socket, headers }) => {
    const header = headers['client-cert']?.toString()
    if (proxies.include(socket)) return header === undefined ? undefined : readClientCert(header)
    if (header !== undefined)
      throw refuse('Client-Cert is believed from configured proxies only: see --client-cert-from.', {
        peer: socket.remoteAddress ?? '',
      })
    const certificate = connections.get(socket) ?? (socket as Partial<TLSSocket>).getPeerX509Certificate?.()
    if (certificate) connections.set(socket, certificate)
    return certificate
  }
}

/** RFC 9440 2.2: the DER of one certificate as a byte sequence, without parameters. */
const readClientCert = (header: string): X509Certificate => {
  try {
    const [item, parameters] = parseItem(header)
    const bytes = bytesOf(item)
    const certificate = bytes && parameters.size === 0 ? new X509Certificate(bytes) : undefined
    if (bytes && certificate?.raw.equals(bytes)) return certificate
  } catch {
    // the same answer as for an item of another kind
  }
  throw refuse('Client-Cert is not a certificate: send its DER in Base64 between colons (RFC 9440).')
}

const refuse = (message: string, diagnosis: Record<string, string> = {}): Refusal =>
  new Refusal('CERTIFICATE_REFUSED', 'certificate', message, { diagnosis })
