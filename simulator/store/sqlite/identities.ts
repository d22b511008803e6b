import type { Database } from 'better-sqlite3'
import type { CertificateRecord, NewOrganization, Registered, SigningKeyRecord, Store } from '../port.ts'
import { type CertificateRow, certificateOf, type KeyRow, keyOf } from '../rows.ts'

type Port = Pick<
  Store,
  | 'certificate'
  | 'certificates'
  | 'addCertificate'
  | 'revokeCertificate'
  | 'signingKey'
  | 'signingKeys'
  | 'addSigningKey'
  | 'deregisterSigningKey'
  | 'setSigningKeyEnd'
>

/** Client certificates and signing keys (5.1, 5.2): none is ever forgotten, so that a key keeps the one purpose it had. */
export const openIdentities = (database: Database) => {
  const sql = prepareStatements(database)
  const insertCertificate = ({ fingerprint, organizationId, pem, publicKey, registeredAt }: CertificateRecord) =>
    sql.addCertificate.run(fingerprint, organizationId, pem, publicKey, registeredAt)
  const insertKey = ({ keyId, organizationId, algorithm, publicKey, registeredAt, expiresAt }: SigningKeyRecord) =>
    sql.addKey.run(keyId, organizationId, algorithm, publicKey, registeredAt, expiresAt)

  const addCertificate = database.transaction((certificate: CertificateRecord): Registered => {
    if (sql.certificate.get(certificate.fingerprint)) return 'known'
    if (sql.keyThatSigns.get(certificate.organizationId, certificate.publicKey)) return 'other-purpose'
    insertCertificate(certificate)
    return 'saved'
  })
  const addSigningKey = database.transaction((key: SigningKeyRecord): Registered => {
    if (sql.keyOfCertificate.get(key.organizationId, key.publicKey)) return 'other-purpose'
    const known = sql.keyThatSigns.get(key.organizationId, key.publicKey)
    if (known && known.deregistered_at === null) return 'known'
    if (known) sql.dropKey.run(known.key_id)
    insertKey(key)
    return 'saved'
  })

  const port: Port = {
    certificate: async fingerprint => {
      const row = sql.certificate.get(fingerprint)
      return row && certificateOf(row)
    },
    certificates: async organizationId => sql.certificates.all(organizationId).map(certificateOf),
    addCertificate: async certificate => addCertificate.immediate(certificate),
    revokeCertificate: async (organizationId, fingerprint, now) => {
      const row = sql.revoke.get(now, fingerprint, organizationId)
      return row && certificateOf(row)
    },
    signingKey: async (organizationId, keyId) => {
      const row = sql.key.get(keyId, organizationId)
      return row && keyOf(row)
    },
    signingKeys: async organizationId => sql.keys.all(organizationId).map(keyOf),
    addSigningKey: async key => addSigningKey.immediate(key),
    deregisterSigningKey: async (organizationId, keyId, now) => {
      const row = sql.deregister.get(now, keyId, organizationId)
      return row && keyOf(row)
    },
    setSigningKeyEnd: async (organizationId, keyId, expiresAt) =>
      void sql.setKeyEnd.run(expiresAt, keyId, organizationId),
  }

  /** Inside the transaction that makes the organization, whose keys are all fresh. */
  const insert = ({ certificates, signingKeys }: NewOrganization): void => {
    for (const certificate of certificates) insertCertificate(certificate)
    for (const key of signingKeys) insertKey(key)
  }
  return { port, insert }
}

const prepareStatements = (database: Database) => {
  const query = <Parameters extends unknown[], Row>(text: string) => database.prepare<Parameters, Row>(text)
  return {
    addCertificate: query<[string, string, string, string, number], never>(
      'INSERT INTO certificates VALUES (NULL, ?, ?, ?, ?, ?, NULL)',
    ),
    certificate: query<[string], CertificateRow>('SELECT * FROM certificates WHERE fingerprint = ?'),
    certificates: query<[string], CertificateRow>(
      'SELECT * FROM certificates WHERE organization_id = ? ORDER BY registration_id',
    ),
    keyOfCertificate: query<[string, string], CertificateRow>(
      'SELECT * FROM certificates WHERE organization_id = ? AND public_key = ? LIMIT 1',
    ),
    revoke: query<[number, string, string], CertificateRow>(`
      UPDATE certificates SET revoked_at = COALESCE(revoked_at, ?) WHERE fingerprint = ? AND organization_id = ?
      RETURNING *`),

    addKey: query<[string, string, string, string, number, number], never>(
      'INSERT INTO signing_keys VALUES (NULL, ?, ?, ?, ?, ?, ?, NULL)',
    ),
    dropKey: query<[string], never>('DELETE FROM signing_keys WHERE key_id = ?'),
    key: query<[string, string], KeyRow>('SELECT * FROM signing_keys WHERE key_id = ? AND organization_id = ?'),
    keys: query<[string], KeyRow>('SELECT * FROM signing_keys WHERE organization_id = ? ORDER BY registration_id'),
    keyThatSigns: query<[string, string], KeyRow>(
      'SELECT * FROM signing_keys WHERE organization_id = ? AND public_key = ?',
    ),
    deregister: query<[number, string, string], KeyRow>(`
      UPDATE signing_keys SET deregistered_at = COALESCE(deregistered_at, ?) WHERE key_id = ? AND organization_id = ?
      RETURNING *`),
    setKeyEnd: query<[number, string, string], never>(
      'UPDATE signing_keys SET expires_at = ? WHERE key_id = ? AND organization_id = ?',
    ),
  }
}
