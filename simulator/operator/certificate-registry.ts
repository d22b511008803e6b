import { createPublicKey, X509Certificate } from 'node:crypto'
import { type Clock, isoTime } from '../clock.ts'
import { DAY } from '../duration.ts'
import type { CertificateRecord, Store } from '../store/port.ts'
import type { Installation } from './installation.ts'
import { OperatorError } from './operator-error.ts'
import { invalid, readPem, understood } from './pem.ts'
import { readCertifiedKey } from './public-key.ts'

const YEAR = 365 * DAY
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/

type Parts = { store: Store; clock: Clock; installation: Installation; onChange: (organizationId: string) => void }

/** Client certificates as the portal shows and changes them (5.1); all times are real ones. */
export const createCertificateRegistry = ({ store, clock, installation, onChange }: Parts) => {
  const add = async (organizationId: string, certificate: X509Certificate) => {
    const record = recordOf(organizationId, certificate, clock.real())
    const registered = await store.addCertificate(record)
    if (registered === 'known')
      throw new OperatorError('conflict', 'This certificate was registered before: make a new one.')
    if (registered === 'other-purpose')
      throw new OperatorError(
        'conflict',
        'This is the key of one of your signing keys: make a key pair for the certificate only (5.1).',
      )
    onChange(organizationId)
    return { ...viewOf(record, clock.real()), certificate: record.pem }
  }

  return {
    list: async (organizationId: string) =>
      (await store.certificates(organizationId)).map(record => viewOf(record, clock.real())),

    /** One of them, with its PEM. */
    find: async (organizationId: string, fingerprint: string) => {
      const record = await store.certificate(spelled(fingerprint))
      if (record?.organizationId !== organizationId) throw noSuch(organizationId)
      return { ...viewOf(record, clock.real()), certificate: record.pem, ca: installation.authorityCertificate }
    },

    /** Issues a certificate for the key of a CSR; the subject is the organization, whatever the request says. */
    issue: async (organizationId: string, request: string, until?: string) => {
      const validTo = until === undefined ? undefined : readEnd(until, clock.real())
      const publicKey = await (await import('./certificate-request.ts')).readCertificateRequest(request)
      const spki = createPublicKey(publicKey).export({ type: 'spki', format: 'der' })
      const issued = await (await installation.authority()).certify(organizationId, spki, validTo)
      const added = await add(organizationId, new X509Certificate(issued))
      return { ...added, ca: installation.authorityCertificate }
    },

    /** Trusts a certificate that another authority signed, or nobody but itself. */
    register: async (organizationId: string, text: string) => {
      const certificate = readCertificate(text)
      const now = clock.real()
      if (!(certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime()))
        throw invalid('certificate is not valid now: check its dates')
      return add(organizationId, certificate)
    },

    /** From now on no call over it is answered, open connections included. */
    revoke: async (organizationId: string, fingerprint: string) => {
      const record = await store.revokeCertificate(organizationId, spelled(fingerprint), clock.real())
      if (!record) throw noSuch(organizationId)
      onChange(organizationId)
      return viewOf(record, clock.real())
    },
  }
}

const noSuch = (organizationId: string): OperatorError =>
  new OperatorError('unknown', `${organizationId} has no certificate of this fingerprint: list them to see all.`)

/** A certificate in the form in which the store keeps it. */
export const recordOf = (
  organizationId: string,
  certificate: X509Certificate,
  registeredAt: number,
): CertificateRecord => ({
  fingerprint: certificate.fingerprint256,
  organizationId,
  pem: certificate.toString(),
  publicKey: readCertifiedKey(certificate.publicKey, 'certificate'),
  registeredAt,
})

const viewOf = ({ pem, fingerprint, revokedAt }: CertificateRecord, now: number) => {
  const { subject, serialNumber, validFromDate, validToDate } = new X509Certificate(pem)
  return {
    fingerprint,
    subject: (subject ?? '').replaceAll('\n', ', '),
    serial: serialNumber,
    validFrom: isoTime(validFromDate.getTime()),
    validTo: isoTime(validToDate.getTime()),
    state: revokedAt !== undefined ? 'revoked' : now > validToDate.getTime() ? 'expired' : 'valid',
  }
}

const readCertificate = (text: string): X509Certificate => {
  const bytes = readPem(text, 'certificate', 'CERTIFICATE')
  return understood('certificate cannot be read as X.509: send the PEM of a certificate', () => {
    const certificate = new X509Certificate(bytes)
    readCertifiedKey(certificate.publicKey, 'certificate')
    // Only the texts tell a date that is none: Node makes some date or other of it.
    const areDates = [certificate.validFrom, certificate.validTo].every(text => !Number.isNaN(Date.parse(text)))
    if (areDates) return certificate
    throw invalid('certificate has a date that is none: make it anew')
  })
}

/** An end that has passed makes a certificate to test expiry with. */
const readEnd = (text: string, now: number): number => {
  const instant = INSTANT.test(text) ? Date.parse(text) : Number.NaN
  if (Math.abs(instant - now) <= YEAR) return instant
  throw invalid('validTo must be an instant such as 2026-11-21T10:00:00Z, a year from now at most, past or to come')
}

/** Fingerprints are written with and without colons. */
const spelled = (fingerprint: string): string =>
  fingerprint
    .toUpperCase()
    .replaceAll(':', '')
    .replace(/..(?=.)/g, '$&:')
