import sql, { raw, type Sql } from 'sql-template-tag'
import {
  type CertificateAndKeyStore,
  type CertificateRecord,
  MOST_REGISTERED,
  type RegistrationResult,
  type SigningKeyRecord,
} from '../certificate-and-key-store.ts'
import type { NewOrganization } from '../organization-store.ts'
import { createRegisteredCertificateAndKeyStore } from '../registered-certificates-and-keys.ts'
import type { SigningKeyRow } from '../row-mapping.ts'
import type { Db } from '../sql-statements.ts'
import { lockUntilCommit } from './locks.ts'
import type { Pool } from './pool.ts'

const insertCertificate = (db: Db, { fingerprint, organizationId, pem, publicKey, registeredAt }: CertificateRecord) =>
  db.run(sql`
    INSERT INTO certificates (fingerprint, organization_id, pem, public_key, registered_at)
    SELECT ${fingerprint}, organization_id, ${pem}, ${publicKey}, ${registeredAt}::bigint
    FROM organizations WHERE organization_id = ${organizationId}`)

const insertKey = (db: Db, key: SigningKeyRecord) =>
  db.run(sql`
    INSERT INTO signing_keys (key_id, organization_id, algorithm, public_key, registered_at, expires_at)
    SELECT ${key.keyId}, organization_id, ${key.algorithm}, ${key.publicKey}, ${key.registeredAt}::bigint,
      ${key.expiresAt}::bigint
    FROM organizations WHERE organization_id = ${key.organizationId}`)

/** Inserts the certificates and signing keys of a new organization into PostgreSQL. */
export const insertCertificatesAndKeys = async (
  db: Db,
  { certificates, signingKeys }: NewOrganization,
): Promise<void> => {
  for (const certificate of certificates) await insertCertificate(db, certificate)
  for (const key of signingKeys) await insertKey(db, key)
}

/** Serialises registrations of an organization, so that no key pair ever both signs and certifies (5.1). */
const registerAlone = (
  pool: Pool,
  organizationId: string,
  act: (db: Db) => Promise<RegistrationResult>,
): Promise<RegistrationResult> =>
  pool.begin(async db => {
    await lockUntilCommit(db, `identity ${organizationId}`)
    return act(db)
  })

/** Whether a table has room for a registration, once the first that are over gave way. */
const hasRoom = async (
  db: Db,
  { organizationId }: { organizationId: string },
  table: 'certificates' | 'signing_keys',
  isOver: Sql,
): Promise<boolean> => {
  const ofOrganization = sql`FROM ${raw(table)} WHERE organization_id = ${organizationId}`
  const [row] = await db.rows<{ left: number }>(sql`
    WITH dropped AS (DELETE FROM ${raw(table)} WHERE registration_id IN (
      SELECT registration_id ${ofOrganization} AND ${isOver} ORDER BY registration_id
      LIMIT GREATEST(0, (SELECT count(*) ${ofOrganization}) + 1 - ${MOST_REGISTERED}::integer)) RETURNING 1)
    SELECT (SELECT count(*) ${ofOrganization}) - (SELECT count(*) FROM dropped) AS "left"`)
  return Number(row?.left) < MOST_REGISTERED
}

/** Creates the PostgreSQL store of certificates and keys (5.1, 5.2); the revoked stay, so a key keeps its purpose. */
export const createCertificateAndKeyStore = (pool: Pool): CertificateAndKeyStore => {
  const keyThatSigns = async (db: Db, { organizationId, publicKey }: { organizationId: string; publicKey: string }) =>
    (
      await db.rows<SigningKeyRow>(sql`
        SELECT * FROM signing_keys WHERE organization_id = ${organizationId} AND md5(public_key) = md5(${publicKey})
          AND public_key = ${publicKey}`)
    )[0]
  const isCertified = async (db: Db, { organizationId, publicKey }: SigningKeyRecord) =>
    (await db.run(sql`
        SELECT 1 FROM certificates WHERE organization_id = ${organizationId} AND md5(public_key) = md5(${publicKey})
          AND public_key = ${publicKey} LIMIT 1`)) > 0
  return {
    ...createRegisteredCertificateAndKeyStore(pool),
    addCertificate: certificate =>
      registerAlone(pool, certificate.organizationId, async db => {
        const known = await db.run(sql`SELECT 1 FROM certificates WHERE fingerprint = ${certificate.fingerprint}`)
        if (known > 0) return 'known'
        if (await keyThatSigns(db, certificate)) return 'other-purpose'
        if (!(await hasRoom(db, certificate, 'certificates', sql`revoked_at IS NOT NULL`))) return 'full'
        await insertCertificate(db, certificate)
        return 'saved'
      }),
    addSigningKey: key =>
      registerAlone(pool, key.organizationId, async db => {
        if (await isCertified(db, key)) return 'other-purpose'
        const known = await keyThatSigns(db, key)
        if (known && known.deregistered_at === null) return 'known'
        if (known) await db.run(sql`DELETE FROM signing_keys WHERE key_id = ${known.key_id}`)
        const isOver = sql`(deregistered_at IS NOT NULL OR expires_at <= ${key.registeredAt})`
        if (!(await hasRoom(db, key, 'signing_keys', isOver))) return 'full'
        await insertKey(db, key)
        return 'saved'
      }),
  }
}
