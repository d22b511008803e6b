import sql from 'sql-template-tag'
import type { Needs, Unit } from '../port.ts'
import type { Db } from './open.ts'

const named = (organizationId: string) => `organization ${organizationId}`

/** Nobody else works on the organization until the transaction ends: for what replaces all that it has. */
export const lockOrganization = (db: Db, organizationId: string): Promise<unknown> =>
  db.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${named(organizationId)}, 0))`)

/** A unit has its payment, its key, its code and its mandate for itself, beside others of the organization. */
export const lockUnit = (db: Db, unit: Unit<unknown>) =>
  db.run(sql`
    SELECT pg_advisory_xact_lock_shared(hashtextextended(${named(unit.organizationId)}, 0)),
      (SELECT count(pg_advisory_xact_lock(hashtextextended(name, 0))) FROM unnest(${locksOf(unit)}::text[]) AS name)`)

/** Sorted, so that two units that want the same never wait for each other. */
const locksOf = ({ organizationId, needs }: Unit<unknown>): string[] =>
  [
    needs.transactionId && `payment ${needs.transactionId}`,
    needs.key && `key ${organizationId} ${needs.key}`,
    needs.blikCode && `code ${organizationId} ${needs.blikCode}`,
    mandateIn(organizationId, needs.mandate),
  ]
    .filter(name => name !== undefined && name !== '')
    .sort() as string[]

const mandateIn = (organizationId: string, mandate: Needs['mandate']): string | undefined =>
  mandate && `mandate ${organizationId} ${mandate.paymentToken ?? mandate.payerId ?? ''}`
