import { createPublicKey, X509Certificate } from 'node:crypto'
import { type CertificateRecord, MOST_REGISTERED, type RegistrationResult } from '../store/certificate-and-key-store.ts'
import type { Store } from '../store/store.ts'
import { type Clock, isoTime, parseExactInstant } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { DAY } from '../support/duration.ts'
import type { Installation } from './installation-keys-and-certificates.ts'
import { invalidInput, parseOrRefuse, refuseIfFull } from './key-and-certificate-input-errors.ts'
import { readPem } from './read-pem.ts'
import { toCertifiedKeyPem } from './read-public-key.ts'

const YEAR = 365 * DAY

type Parts = { store: Store; clock: Clock; installation: Installation; onChange: (organizationId: string) => void }

/** Creates the registry of client certificates: list, issue, register and revoke (5.1); all times are real time. */
export const createClientCertificateRegistry = ({ store, clock, installation, onChange }: Parts) => {
  const add = async (organizationId: string, certificate: X509Certificate) => {
    const record = toCertificateRecord(organizationId, certificate, clock.real())
    const registered = await registerCertificate(store, record)
    if (registered === 'known')
      throw new ControlError('conflict', 'This certificate was registered before: make a new one.')
    if (registered === 'other-purpose')
      throw new ControlError(
        'conflict',
        'This is the key of one of your signing keys: make a key pair for the certificate only (5.1).',
      )
    onChange(organizationId)
    return { ...viewOf(record, clock.real()), certificate: record.pem }
  }

  return {
    list: async (organizationId: string) =>
      (await store.certificates(organizationId)).map(record => viewOf(record, clock.real())),

    /** One certificate with its PEM and the PEM of the authority. */
    find: async (organizationId: string, fingerprint: string) => {
      const record = await store.certificate(normalized(fingerprint))
      if (record?.organizationId !== organizationId) throw unknownCertificate(organizationId)
      return { ...viewOf(record, clock.real()), certificate: record.pem, ca: installation.authorityCertificate }
    },

    /** Issues a certificate for the key of a CSR; its subject is the organization, whatever the CSR says. */
    issue: async (organizationId: string, request: string, until?: string) => {
      const validTo = until === undefined ? undefined : readEnd(until, clock.real())
      await refuseWithoutRoom(store, organizationId, clock.real())
      const publicKey = await (await import('./read-certificate-request.ts')).readCertificateRequest(request)
      const spki = createPublicKey(publicKey).export({ type: 'spki', format: 'der' })
      const issued = await (await installation.authority()).certify(organizationId, spki, validTo)
      const added = await add(organizationId, new X509Certificate(issued))
      return { ...added, ca: installation.authorityCertificate }
    },

    /** Registers a certificate of another authority, or a self-signed one, as trusted. */
    register: async (organizationId: string, text: string) => {
      const certificate = readCertificate(text)
      const now = clock.real()
      if (!(certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime()))
        throw invalidInput('certificate is not valid now: check its dates')
      return add(organizationId, certificate)
    },

    /** Revokes a certificate: calls over it are refused from now on, on open connections too. */
    revoke: async (organizationId: string, fingerprint: string) => {
      const record = await store.revokeCertificate(organizationId, normalized(fingerprint), clock.real())
      if (!record) throw unknownCertificate(organizationId)
      onChange(organizationId)
      return viewOf(record, clock.real())
    },
  }
}

/** Registers a certificate; of too many, one that was revoked or has expired gives way. */
export const registerCertificate = async (
  store: Pick<Store, 'addCertificate' | 'certificates' | 'revokeCertificate'>,
  record: CertificateRecord,
): Promise<RegistrationResult> => {
  const registered = await store.addCertificate(record)
  if (registered !== 'full') return registered
  const { organizationId, registeredAt } = record
  const expired = (await store.certificates(organizationId)).find(isExpiredAt(registeredAt))
  if (expired) await store.revokeCertificate(organizationId, expired.fingerprint, registeredAt)
  const again = expired ? await store.addCertificate(record) : registered
  refuseIfFull(again, 'client certificates')
  return again
}

/** Throws `conflict` where an organization has no room for one more certificate, before one is issued for nothing. */
export const refuseWithoutRoom = async (
  store: Pick<Store, 'certificates'>,
  organizationId: string,
  now: number,
): Promise<void> => {
  const all = await store.certificates(organizationId)
  const hasRoom = all.length < MOST_REGISTERED || all.some(({ revokedAt }) => revokedAt !== undefined)
  if (!hasRoom && !all.some(isExpiredAt(now))) refuseIfFull('full', 'client certificates')
}

const isExpiredAt =
  (now: number) =>
  ({ pem }: CertificateRecord): boolean =>
    new X509Certificate(pem).validToDate.getTime() < now

const unknownCertificate = (organizationId: string): ControlError =>
  new ControlError('unknown', `${organizationId} has no certificate of this fingerprint: list them to see all.`)

/** Creates the store's record of a client certificate. */
export const toCertificateRecord = (
  organizationId: string,
  certificate: X509Certificate,
  registeredAt: number,
): CertificateRecord => ({
  fingerprint: certificate.fingerprint256,
  organizationId,
  pem: certificate.toString(),
  publicKey: toCertifiedKeyPem(certificate.publicKey, 'certificate'),
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
    state: stateOf(revokedAt, validToDate.getTime(), now),
  }
}

const stateOf = (revokedAt: number | undefined, validTo: number, now: number): 'valid' | 'expired' | 'revoked' =>
  revokedAt !== undefined ? 'revoked' : now > validTo ? 'expired' : 'valid'

const readCertificate = (text: string): X509Certificate => {
  const bytes = readPem(text, 'certificate', 'CERTIFICATE')
  return parseOrRefuse('certificate cannot be read as X.509: send the PEM of a certificate', () => {
    const certificate = new X509Certificate(bytes)
    toCertifiedKeyPem(certificate.publicKey, 'certificate')
    // An invalid date shows only in the texts: Node's Date members hold some other date then.
    const areDates = [certificate.validFrom, certificate.validTo].every(text => !Number.isNaN(Date.parse(text)))
    if (areDates) return certificate
    throw invalidInput('certificate has an invalid date: create it again')
  })
}

/** Reads the requested end of validity as epoch milliseconds; the end may have passed, for tests of expiry. */
const readEnd = (text: string, now: number): number => {
  const instant = parseExactInstant(text)
  if (Math.abs(instant - now) <= YEAR) return instant
  throw invalidInput(
    'validTo must be an instant such as 2026-11-21T10:00:00Z, a year from now at most, past or to come',
  )
}

/** Normalizes a fingerprint to capitals with colons, however it was written. */
const normalized = (fingerprint: string): string =>
  fingerprint
    .toUpperCase()
    .replaceAll(':', '')
    .replace(/..(?=.)/g, '$&:')
