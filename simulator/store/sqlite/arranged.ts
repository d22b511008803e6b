import type { Database } from 'better-sqlite3'

/** What an organization may have arranged for its calls, by the tables that keep it. */
type Arranged = { faults: number; faultsMet: number; mocks: number; late: number; endpoints: number; plans: number }

/**
 * Which of it there is at all, in one statement: most calls find nothing arranged, and need not ask six times. Says 1
 * of what is already over too.
 */
export const openArranged = (database: Database): ((organizationId: string) => Partial<Arranged>) => {
  const isThere = (from: string) => `EXISTS (SELECT 1 FROM ${from} organization_id = wanted)`
  const query = database.prepare<[string], Arranged>(`
    SELECT ${isThere('faults WHERE')} AS faults, ${isThere('faults_met WHERE')} AS faultsMet,
      ${isThere('mocks WHERE')} AS mocks, ${isThere('jobs WHERE call_key IS NOT NULL AND')} AS late,
      ${isThere('endpoints WHERE')} AS endpoints, ${isThere('delivery_plans WHERE')} AS plans
    FROM (SELECT ? AS wanted)`)
  return organizationId => query.get(organizationId) ?? {}
}
