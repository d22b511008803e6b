import sql from 'sql-template-tag'
import type { Fault } from '../../providers/faults.ts'
import type { Save, Store } from '../port.ts'
import type { Db } from './open.ts'

type Row = { fault_id: number; remaining: number; record: string }

const faultOf = ({ fault_id, remaining, record }: Row): Fault => ({
  ...(JSON.parse(record) as Omit<Fault, 'faultId' | 'left'>),
  faultId: fault_id,
  left: remaining,
})

/** Locked: of two calls at once only so many meet a fault as it was armed for. */
export const waitingFaults = async (db: Db, organizationId: string, operation: string): Promise<Fault[]> =>
  (
    await db.rows<Row>(sql`
      SELECT fault_id, remaining, record FROM faults
      WHERE organization_id = ${organizationId} AND operation = ${operation} ORDER BY fault_id FOR UPDATE`)
  ).map(faultOf)

export const metUnder = async (db: Db, organizationId: string, key: string, now: number): Promise<number> => {
  const [row] = await db.rows<{ met: number }>(sql`
    SELECT met FROM faults_met WHERE organization_id = ${organizationId} AND key = ${key} AND expires_at > ${now}`)
  return row?.met ?? 0
}

export const meetFault = (
  db: Db,
  organizationId: string,
  { key, met, expiresAt }: NonNullable<Save['faultMet']>,
): Promise<unknown>[] => [
  db.run(sql`
    INSERT INTO faults_met (organization_id, key, met, expires_at) VALUES (${organizationId}, ${key}, ${met}, ${expiresAt})
    ON CONFLICT (organization_id, key) DO UPDATE SET met = excluded.met, expires_at = excluded.expires_at`),
]

export const spendFault = (db: Db, faultId: number): Promise<unknown>[] => [
  db.run(sql`UPDATE faults SET remaining = remaining - 1 WHERE fault_id = ${faultId}`),
  db.run(sql`DELETE FROM faults WHERE fault_id = ${faultId} AND remaining <= 0`),
]

export const faultsPort = (db: Db): Pick<Store, 'addFault' | 'faults' | 'clearFaults'> => ({
  addFault: async (organizationId, fault) => {
    const { left, ...record } = fault
    const [row] = await db.rows<{ fault_id: number }>(sql`
      INSERT INTO faults (organization_id, operation, remaining, record)
      VALUES (${organizationId}, ${fault.operation}, ${left}, ${JSON.stringify(record)}) RETURNING fault_id`)
    return { ...fault, faultId: row?.fault_id ?? 0 }
  },
  faults: async organizationId =>
    (
      await db.rows<Row>(sql`
        SELECT fault_id, remaining, record FROM faults WHERE organization_id = ${organizationId} ORDER BY fault_id`)
    ).map(faultOf),
  clearFaults: async organizationId => await db.run(sql`DELETE FROM faults WHERE organization_id = ${organizationId}`),
})
