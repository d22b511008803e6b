import { constants } from 'node:crypto'
import type { ServerOptions } from 'node:https'
import type { Installation } from '../installation/installation-keys-and-certificates.ts'
import type { Config } from '../options/options.ts'

/** Returns the TLS settings of the API (5.1): request a client certificate, whose absence the API itself refuses. */
export const toTlsOptions = (config: Config, { server, authorityCertificate }: Installation): ServerOptions => ({
  key: server.privateKey,
  cert: server.certificate,
  ca: authorityCertificate,
  requestCert: true,
  rejectUnauthorized: false,
  minVersion: config.tlsMin === '1.3' ? 'TLSv1.3' : 'TLSv1.2',
  secureOptions: constants.SSL_OP_NO_TICKET, // a resumed session would carry a certificate that was not presented
})
