import type { Database } from 'better-sqlite3'
import {
  type CertificateAndKeyStore,
  type CertificateRecord,
  MOST_REGISTERED,
  type RegistrationResult,
  type SigningKeyRecord,
} from '../certificate-and-key-store.ts'
import type { NewOrganization } from '../organization-store.ts'
import { createRegisteredCertificateAndKeyStore } from '../registered-certificates-and-keys.ts'
import type { CertificateRow, SigningKeyRow } from '../row-mapping.ts'
import { createDb } from './statement-cache.ts'

/** Opens the SQLite store of certificates and signing keys (5.1, 5.2); the revoked stay: a key keeps its purpose. */
export const openCertificatesAndKeys = (database: Database) => {
  const sql = prepareStatements(database)
  const hasRoomForCertificate = roomFinder(database, 'certificates', 'revoked_at IS NOT NULL')
  const hasRoomForKey = roomFinder(
    database,
    'signing_keys',
    '(deregistered_at IS NOT NULL OR expires_at <= @registeredAt)',
  )
  const insertCertificate = ({ fingerprint, organizationId, pem, publicKey, registeredAt }: CertificateRecord) =>
    sql.addCertificate.run(fingerprint, pem, publicKey, registeredAt, organizationId)
  const insertKey = ({ keyId, organizationId, algorithm, publicKey, registeredAt, expiresAt }: SigningKeyRecord) =>
    sql.addKey.run(keyId, algorithm, publicKey, registeredAt, expiresAt, organizationId)

  const addCertificate = database.transaction((certificate: CertificateRecord): RegistrationResult => {
    if (sql.certificate.get(certificate.fingerprint)) return 'known'
    if (sql.keyThatSigns.get(certificate.organizationId, certificate.publicKey)) return 'other-purpose'
    if (!hasRoomForCertificate(certificate)) return 'full'
    insertCertificate(certificate)
    return 'saved'
  })
  const addSigningKey = database.transaction((key: SigningKeyRecord): RegistrationResult => {
    if (sql.keyOfCertificate.get(key.organizationId, key.publicKey)) return 'other-purpose'
    const known = sql.keyThatSigns.get(key.organizationId, key.publicKey)
    if (known && known.deregistered_at === null) return 'known'
    if (known) sql.dropKey.run(known.key_id)
    if (!hasRoomForKey(key)) return 'full'
    insertKey(key)
    return 'saved'
  })

  const port: CertificateAndKeyStore = {
    ...createRegisteredCertificateAndKeyStore(createDb(database)),
    addCertificate: async certificate => addCertificate.immediate(certificate),
    addSigningKey: async key => addSigningKey.immediate(key),
  }

  /** For the transaction that creates the organization, whose keys are all new. */
  const insert = ({ certificates, signingKeys }: NewOrganization): void => {
    for (const certificate of certificates) insertCertificate(certificate)
    for (const key of signingKeys) insertKey(key)
  }
  return { port, insert }
}

/** Creates a function that tells whether a table has room for a registration, once the first that are over gave way. */
const roomFinder = (database: Database, table: string, isOver: string) => {
  const ofOrganization = `FROM ${table} WHERE organization_id = @organizationId`
  const drop = database.prepare<[Registration]>(`
    DELETE FROM ${table} WHERE registration_id IN (
      SELECT registration_id ${ofOrganization} AND ${isOver} ORDER BY registration_id
      LIMIT MAX(0, (SELECT COUNT(*) ${ofOrganization}) + 1 - ${MOST_REGISTERED}))`)
  const count = database.prepare<[Registration], { all: number }>(`SELECT COUNT(*) AS "all" ${ofOrganization}`)
  return ({ organizationId, registeredAt }: Registration): boolean => {
    drop.run({ organizationId, registeredAt })
    return (count.get({ organizationId, registeredAt })?.all ?? 0) < MOST_REGISTERED
  }
}

type Registration = { organizationId: string; registeredAt: number }

const prepareStatements = (database: Database) => {
  const query = <Parameters extends unknown[], Row>(text: string) => database.prepare<Parameters, Row>(text)
  return {
    addCertificate: query<[string, string, string, number, string], never>(`
      INSERT INTO certificates SELECT NULL, ?, organization_id, ?, ?, ?, NULL
      FROM organizations WHERE organization_id = ?`),
    certificate: query<[string], CertificateRow>('SELECT * FROM certificates WHERE fingerprint = ?'),
    keyOfCertificate: query<[string, string], CertificateRow>(
      'SELECT * FROM certificates WHERE organization_id = ? AND public_key = ? LIMIT 1',
    ),

    addKey: query<[string, string, string, number, number, string], never>(`
      INSERT INTO signing_keys SELECT NULL, ?, organization_id, ?, ?, ?, ?, NULL
      FROM organizations WHERE organization_id = ?`),
    dropKey: query<[string], never>('DELETE FROM signing_keys WHERE key_id = ?'),
    keyThatSigns: query<[string, string], SigningKeyRow>(
      'SELECT * FROM signing_keys WHERE organization_id = ? AND public_key = ?',
    ),
  }
}
