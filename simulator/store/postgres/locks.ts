import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../sql-statements.ts'
import type { ReadSet, UnitOfWork } from '../unit-of-work.ts'

const paymentLock = (transactionId: string) => `payment ${transactionId}`
const organizationLock = (organizationId: string) => `organization ${organizationId}`

/** Takes the advisory lock of a name until the transaction ends; names are the schema's own, so sandboxes in one database share none. */
export const lockUntilCommit = (db: Db, name: string): Promise<unknown> =>
  db.run(sql`SELECT pg_advisory_xact_lock(advisory_key(${name}))`)

/** Locks an organization in PostgreSQL exclusively until the transaction ends, to replace its state. */
export const lockOrganization = (db: Db, organizationId: string): Promise<unknown> =>
  lockUntilCommit(db, organizationLock(organizationId))

/** Locks an organization in PostgreSQL for shared use until the transaction ends: its state is not replaced meanwhile. */
export const shareOrganization = (db: Db, organizationId: string): Promise<unknown> =>
  db.run(sql`SELECT pg_advisory_xact_lock_shared(advisory_key(${organizationLock(organizationId)}))`)

/**
 * Returns a PostgreSQL expression that locks an organization as `shareOrganization` does, if that takes no wait; whether
 * it did. As a subquery it is run once, before rows are looked for that a reset of the organization may have locked.
 */
export const triesToShareOrganization = (organizationId: string): Sql =>
  sql`(SELECT pg_try_advisory_xact_lock_shared(advisory_key(${organizationLock(organizationId)})))`

/** Locks in PostgreSQL a unit of work's payment, key, BLIK code and mandate, and its organization for shared use. */
export const lockUnitOfWork = (db: Db, unit: UnitOfWork<unknown>): Promise<unknown> =>
  db.run(sql`
    SELECT pg_advisory_xact_lock_shared(advisory_key(${organizationLock(unit.organizationId)})),
      (SELECT count(pg_advisory_xact_lock(advisory_key(name))) FROM unnest(${locksOf(unit)}::text[]) AS name)`)

/** Takes the locks of units of work that are free, without waiting for others; returns the units that lack one. */
export const tryToLockUnits = async <Unit extends UnitOfWork<unknown>>(
  db: Db,
  units: readonly Unit[],
): Promise<Unit[]> => {
  const shared = [...new Set(units.map(unit => organizationLock(unit.organizationId)))]
  const own = units.flatMap(locksOf)
  const rows = await db.rows<{ name: string }>(sql`
    SELECT name FROM unnest(${shared}::text[]) AS name WHERE NOT pg_try_advisory_xact_lock_shared(advisory_key(name))
    UNION ALL
    SELECT name FROM unnest(${own}::text[]) AS name WHERE NOT pg_try_advisory_xact_lock(advisory_key(name))`)
  if (rows.length === 0) return []
  const taken = new Set(rows.map(({ name }) => name))
  return units.filter(unit => [organizationLock(unit.organizationId), ...locksOf(unit)].some(name => taken.has(name)))
}

/** Takes the locks of payments that no unit of work has, until the transaction ends; returns the ids of those. */
export const tryToLockPayments = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const names = ids.map(paymentLock)
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM unnest(${ids}::text[], ${names}::text[]) AS payment (id, name)
    WHERE pg_try_advisory_xact_lock(advisory_key(name))`)
  return rows.map(({ id }) => id)
}

/** Returns the names of a unit of work's own locks, sorted so that two units never deadlock on them. */
export const locksOf = ({ organizationId, needs }: UnitOfWork<unknown>): string[] =>
  [
    needs.transactionId && paymentLock(needs.transactionId),
    needs.key && `key ${organizationId} ${needs.key}`,
    needs.blikCode && `code ${organizationId} ${needs.blikCode}`,
    mandateLock(organizationId, needs.mandate),
  ]
    .filter(name => name !== undefined && name !== '')
    .sort() as string[]

const mandateLock = (organizationId: string, mandate: ReadSet['mandate']): string | undefined =>
  mandate && `mandate ${organizationId} ${mandate.paymentToken ?? mandate.payerId ?? ''}`

/** Key of a lock by which replicas start and migrate, before the schema has its function. */
const sessionKey = (name: string) => sql`hashtextextended(concat(current_schema(), ' ', ${name}::text), 0)`

/**
 * Tries to take a PostgreSQL advisory lock for the session without waiting, as a waiting statement would run into its
 * timeout; returns whether it was free.
 */
export const tryAdvisoryLock = async (db: Pick<Db, 'rows'>, name: string): Promise<boolean> => {
  const [row] = await db.rows<{ taken: boolean }>(sql`SELECT pg_try_advisory_lock(${sessionKey(name)}) AS taken`)
  return row?.taken ?? false
}

/** Releases a PostgreSQL advisory lock that the session holds. */
export const unlockAdvisoryLock = (db: Pick<Db, 'rows'>, name: string): Promise<unknown> =>
  db.rows(sql`SELECT pg_advisory_unlock(${sessionKey(name)})`)
