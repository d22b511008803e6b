import type { IncomingMessage } from 'node:http'
import type { Organization } from '../../store/organization-store.ts'
import type { Clock } from '../../support/clock.ts'
import { Refusal } from '../../support/refusal.ts'
import type { ApiCall } from '../api-call.ts'
import type { CertificateAndKeyCache } from '../certificate-and-key-cache.ts'
import type { ClientCertificateReader } from '../client-certificate-from-tls-or-proxy.ts'
import type { PauseConnection } from '../pause-rate-limited-connection.ts'
import { createLocalRateLimiter } from '../rate-limiter.ts'

type Parts = {
  readCertificate: ClientCertificateReader
  identityCache: CertificateAndKeyCache
  clock: Clock
  pauseConnection: PauseConnection
}

/** Certificate refusals per second, over all clients; beyond it, the refused connection is paused for a second. */
const REFUSALS_PER_SECOND = 50

/**
 * Creates the first security layer (5.1): the client certificate identifies the organization. It must have been issued
 * by the simulator's authority, or registered; a revoked one is refused at once, also on open connections.
 */
export const requireCertificate = ({ readCertificate, identityCache, clock, pauseConnection }: Parts) => {
  const countRefusal = createLocalRateLimiter(REFUSALS_PER_SECOND)
  const organizationOf = async (incoming: IncomingMessage): Promise<Organization> => {
    const certificate = readCertificate(incoming)
    if (!certificate)
      throw new Refusal(
        'CERTIFICATE_MISSING',
        'certificate',
        'There is no client certificate: connect with the one of your kit (5.1).',
      )
    const known = await identityCache.certificate(certificate.fingerprint256)
    const fault = known ? faultOf(known, clock.real()) : UNKNOWN
    if (known && !fault) return known.organization
    throw refuse(`The client certificate ${fault}.`, {
      subject: (certificate.subject ?? '').replaceAll('\n', ', '), // a certificate may lack a subject
      fingerprint: certificate.fingerprint256,
    })
  }
  return async ({ incoming }: ApiCall): Promise<Organization> => {
    try {
      return await organizationOf(incoming)
    } catch (refusal) {
      if ((await countRefusal('', clock.real())) > REFUSALS_PER_SECOND) pauseConnection(incoming.socket, 1)
      throw refusal
    }
  }
}

const UNKNOWN = 'is not trusted: use the one of your kit, or register this one (5.1)'

const faultOf = (known: { validFrom: number; validTo: number; isRevoked: boolean }, now: number) => {
  if (known.isRevoked) return 'was revoked: issue a new one'
  if (now > known.validTo) return 'has expired: issue a new one'
  if (now < known.validFrom) return 'is not valid yet: check its dates'
}

const refuse = (message: string, diagnosis: Record<string, string>): Refusal =>
  new Refusal('CERTIFICATE_REFUSED', 'certificate', message, { diagnosis })
