import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import type { Organization } from '../../store/port.ts'
import type { Layer } from '../call.ts'
import type { HoldBack } from '../hold-back.ts'
import type { PresentedCertificate } from '../presented-certificate.ts'
import { spendingAlone } from '../spending.ts'
import type { Trust } from '../trust.ts'

type Parts = { presented: PresentedCertificate; trust: Trust; clock: Clock; holdBack: HoldBack }

/** So many refusals a second for all strangers together; whoever is refused beyond is not heard again for a second. */
const STRANGERS = 50

/**
 * The first of the three layers (5.1): the certificate of the connection names the organization. It must have been
 * issued for one by our authority, or registered; a revoked one is refused at once, on open connections too.
 */
export const requireCertificate = ({ presented, trust, clock, holdBack }: Parts): Layer => {
  const strangers = spendingAlone(STRANGERS)
  const organizationOf = async (incoming: IncomingMessage): Promise<Organization> => {
    const certificate = presented(incoming)
    if (!certificate) throw refuse('There is no client certificate: connect with the one of your kit (5.1).')
    const known = await trust.certificate(certificate.fingerprint256)
    const fault = known ? faultOf(known, clock.real()) : UNKNOWN
    if (known && !fault) return known.organization
    throw refuse(`The client certificate ${fault}.`, {
      subject: (certificate.subject ?? '').replaceAll('\n', ', '), // a certificate may go without
      fingerprint: certificate.fingerprint256,
    })
  }
  return async call => {
    const { incoming } = call
    try {
      call.organization = await organizationOf(incoming)
    } catch (refusal) {
      if (Number(await strangers('', clock.real())) > STRANGERS) holdBack(incoming.socket, 1)
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

const refuse = (message: string, diagnosis: Record<string, string> = {}): Refusal =>
  new Refusal('CERTIFICATE_REFUSED', 'certificate', message, { diagnosis })
