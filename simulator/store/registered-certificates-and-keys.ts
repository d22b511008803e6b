import type { CertificateAndKeyStore } from './certificate-and-key-store.ts'
import { toCertificate, toSigningKey } from './row-mapping.ts'
import { createSqlTags, type Db } from './sql-statements.ts'

/** Creates the store of certificates and signing keys that are registered (5.1, 5.2), over SQLite or PostgreSQL; the revoked stay. */
export const createRegisteredCertificateAndKeyStore = (
  db: Db,
): Omit<CertificateAndKeyStore, 'addCertificate' | 'addSigningKey'> => {
  const { list, find, run } = createSqlTags(db)
  return {
    certificate: fingerprint => find(toCertificate)`SELECT * FROM certificates WHERE fingerprint = ${fingerprint}`,
    certificates: organizationId => list(toCertificate)`
      SELECT * FROM certificates WHERE organization_id = ${organizationId} ORDER BY registration_id`,
    revokeCertificate: (organizationId, fingerprint, now) => find(toCertificate)`
      UPDATE certificates SET revoked_at = COALESCE(revoked_at, ${now})
      WHERE fingerprint = ${fingerprint} AND organization_id = ${organizationId} RETURNING *`,
    signingKey: (organizationId, keyId) =>
      find(toSigningKey)`SELECT * FROM signing_keys WHERE key_id = ${keyId} AND organization_id = ${organizationId}`,
    signingKeys: organizationId => list(toSigningKey)`
      SELECT * FROM signing_keys WHERE organization_id = ${organizationId} ORDER BY registration_id`,
    setSigningKeyValidity: (organizationId, keyId, { registeredAt, expiresAt }) => run`
      UPDATE signing_keys SET registered_at = ${registeredAt}, expires_at = ${expiresAt}
      WHERE key_id = ${keyId} AND organization_id = ${organizationId}`,
    deregisterSigningKey: (organizationId, keyId, now) => find(toSigningKey)`
      UPDATE signing_keys SET deregistered_at = COALESCE(deregistered_at, ${now})
      WHERE key_id = ${keyId} AND organization_id = ${organizationId} RETURNING *`,
  }
}
