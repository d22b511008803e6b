import { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { parseItem } from 'structured-headers'
import { bytesOf } from '../../contracts/protocol/structured-field.ts'
import { createAddressList } from '../support/ip-address-list.ts'
import { Refusal } from '../support/refusal.ts'

/** Addresses of the reverse proxies whose Client-Cert header is trusted (D-71). */
export type TrustedProxies = { include(socket: Pick<Socket, 'remoteAddress'>): boolean }

/** Creates the list of trusted proxies from addresses and ranges such as 10.0.0.0/8 or fd00::/8. */
export const createTrustedProxies = (ranges: readonly string[]): TrustedProxies => {
  const list = createAddressList(ranges)
  return { include: ({ remoteAddress: address }) => address !== undefined && list.includes(address) }
}

export type ClientCertificateReader = (incoming: IncomingMessage) => X509Certificate | undefined

/** Creates the reader of client certificates: from the TLS connection, or a trusted proxy's Client-Cert (5.1, D-71). */
export const createClientCertificateReader = (proxies: TrustedProxies): ClientCertificateReader => {
  return ({ socket, headers }) => {
    const header = headers['client-cert']?.toString()
    if (proxies.include(socket)) return header === undefined ? undefined : readClientCert(header)
    if (header !== undefined)
      throw refuse('Client-Cert is believed from configured proxies only: see --client-cert-from.', {
        peer: socket.remoteAddress ?? '',
      })
    return (socket as Partial<TLSSocket>).getPeerX509Certificate?.()
  }
}

/** Parses a Client-Cert header: the DER of one certificate as a byte sequence, without parameters (RFC 9440 2.2). */
const readClientCert = (header: string): X509Certificate => {
  try {
    const [item, parameters] = parseItem(header)
    const bytes = bytesOf(item)
    const certificate = bytes && parameters.size === 0 ? new X509Certificate(bytes) : undefined
    if (bytes && certificate?.raw.equals(bytes)) return certificate
  } catch {
    // refused below, like an item of another type
  }
  throw refuse('Client-Cert is not a certificate: send its DER in Base64 between colons (RFC 9440).')
}

const refuse = (message: string, diagnosis: Record<string, string> = {}): Refusal =>
  new Refusal('CERTIFICATE_REFUSED', 'certificate', message, { diagnosis })
