import { constants, X509Certificate } from 'node:crypto'
import type { ServerOptions } from 'node:https'
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import type { TlsIdentity } from '../installation/certificate-authority.ts'
import type { Installation } from '../installation/installation-keys-and-certificates.ts'
import type { ServerCertificates } from '../installation/server-certificate-by-sni-name.ts'
import type { Config } from '../options/options.ts'

type Parts = {
  config: Pick<Config, 'tlsMin'>
  installation: Pick<Installation, 'server' | 'authorityCertificate'>
  certificates: Pick<ServerCertificates, 'forName'>
  onError: (error: unknown) => void
}

/** TLS settings of the API, and whether a client has a certificate of the sandbox's authority. */
export type ApiTlsOptions = ServerOptions & { isKnownClient(socket: TLSSocket): boolean }

/**
 * Returns the TLS settings of the API (5.1): request a client certificate, whose absence the API itself refuses. The
 * handshake names no authority, as some TLS stacks then keep back a registered certificate of another one (D-86).
 */
export const toTlsOptions = ({ config, installation, certificates, onError }: Parts): ApiTlsOptions => {
  const authority = new X509Certificate(installation.authorityCertificate)
  const contextOptions = ({ privateKey, certificate }: TlsIdentity) => ({
    key: privateKey,
    cert: `${certificate.trimEnd()}\n${installation.authorityCertificate}`,
    ca: [],
    minVersion: config.tlsMin === '1.3' ? ('TLSv1.3' as const) : ('TLSv1.2' as const),
    secureOptions: constants.SSL_OP_NO_TICKET, // a resumed session would carry a certificate that was not presented
  })
  const contexts = new WeakMap<TlsIdentity, SecureContext>()
  const contextOf = (identity: TlsIdentity): SecureContext => {
    const context = contexts.get(identity) ?? createSecureContext(contextOptions(identity))
    contexts.set(identity, context)
    return context
  }
  return {
    ...contextOptions(installation.server.current()),
    requestCert: true,
    isKnownClient: socket => {
      const certificate = socket.getPeerX509Certificate()
      return certificate?.checkIssued(authority) === true && certificate.verify(authority.publicKey)
    },
    rejectUnauthorized: false,
    SNICallback: (name, use) => {
      certificates.forName(name).then(
        identity => use(null, identity && contextOf(identity)),
        error => {
          onError(error)
          use(null)
        },
      )
    },
  }
}
