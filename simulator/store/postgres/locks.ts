import sql from 'sql-template-tag'
import type { ReadSet, UnitOfWork } from '../unit-of-work.ts'
import type { Db } from './pool.ts'

const organizationLock = (organizationId: string) => `organization ${organizationId}`

/** Locks an organization exclusively until the transaction ends, to replace its state. */
export const lockOrganization = (db: Db, organizationId: string): Promise<unknown> =>
  db.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${organizationLock(organizationId)}, 0))`)

/** Locks a unit of work's payment, key, BLIK code and mandate, and its organization for shared use. */
export const lockUnitOfWork = (db: Db, unit: UnitOfWork<unknown>) =>
  db.run(sql`
    SELECT pg_advisory_xact_lock_shared(hashtextextended(${organizationLock(unit.organizationId)}, 0)),
      (SELECT count(pg_advisory_xact_lock(hashtextextended(name, 0))) FROM unnest(${locksOf(unit)}::text[]) AS name)`)

/** Returns the names of a unit of work's locks, sorted so that two units never deadlock on them. */
const locksOf = ({ organizationId, needs }: UnitOfWork<unknown>): string[] =>
  [
    needs.transactionId && `payment ${needs.transactionId}`,
    needs.key && `key ${organizationId} ${needs.key}`,
    needs.blikCode && `code ${organizationId} ${needs.blikCode}`,
    mandateLock(organizationId, needs.mandate),
  ]
    .filter(name => name !== undefined && name !== '')
    .sort() as string[]

const mandateLock = (organizationId: string, mandate: ReadSet['mandate']): string | undefined =>
  mandate && `mandate ${organizationId} ${mandate.paymentToken ?? mandate.payerId ?? ''}`
