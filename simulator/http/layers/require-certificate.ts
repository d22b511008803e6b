import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { MiddlewareHandler } from 'hono'
import type { Clock } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import type { Organization, Store } from '../../store/port.ts'
import type { ApiEnvironment } from '../call.ts'

type Parts = { store: Store; clock: Clock }

/**
 * The first of the three layers (5.1): the certificate of the connection names the organization. It must have been
 * issued for one by our authority, or registered; a connection is looked up once.
 */
export const requireCertificate = ({ store, clock }: Parts): MiddlewareHandler<ApiEnvironment> => {
  const connections = new WeakMap<TLSSocket, { organization: Organization; validTo: number }>()
  return async (c, next) => {
    const socket = c.env.incoming.socket as TLSSocket
    const known = connections.get(socket) ?? (await identify(socket, store, clock))
    connections.set(socket, known)
    if (known.validTo < clock.real()) throw refuse('The client certificate has expired: issue a new one.')
    c.var.call.organization = known.organization
    await next()
  }
}

const identify = async (socket: TLSSocket, store: Store, clock: Clock) => {
  const certificate = socket.getPeerX509Certificate()
  if (!certificate) throw refuse('There is no client certificate: connect with the one of your kit (5.1).')
  const owner = await store.certificateOwner(certificate.fingerprint256)
  const organization = owner === undefined ? undefined : await store.organization(owner)
  if (!organization)
    throw refuse('The client certificate is not trusted: use the one of your kit, or register this one (5.1).', {
      subject: (certificate.subject ?? '').replaceAll('\n', ', '), // a certificate may go without
      fingerprint: certificate.fingerprint256,
    })
  if (clock.real() < certificate.validFromDate.getTime())
    throw refuse('The client certificate is not valid yet: check its dates.')
  return { organization, validTo: endOf(certificate) }
}

const endOf = (certificate: X509Certificate): number => certificate.validToDate.getTime()

const refuse = (message: string, diagnosis: Record<string, string> = {}): Refusal =>
  new Refusal('CERTIFICATE_REFUSED', 'certificate', message, { diagnosis })
