import type { Database } from 'better-sqlite3'
import type { Fault } from '../../providers/faults.ts'
import type { Save, Store } from '../port.ts'

type Row = { fault_id: number; remaining: number; record: string }

const faultOf = ({ fault_id, remaining, record }: Row): Fault => ({
  ...(JSON.parse(record) as Omit<Fault, 'faultId' | 'left'>),
  faultId: fault_id,
  left: remaining,
})

/** The part of the store that keeps armed faults; one that was met often enough is gone. */
export const openFaults = (database: Database) => {
  const add = database.prepare<[string, string, number, string]>(
    'INSERT INTO faults (organization_id, operation, remaining, record) VALUES (?, ?, ?, ?)',
  )
  // With ORDER BY, SQLite plans a query anew for every value that is compared directly: hence (SELECT ?), here and elsewhere.
  const ofOperation = database.prepare<[string, string], Row>(
    'SELECT * FROM faults WHERE organization_id = (SELECT ?) AND operation = (SELECT ?) ORDER BY fault_id',
  )
  const all = database.prepare<[string], Row>('SELECT * FROM faults WHERE organization_id = ? ORDER BY fault_id')
  const spend = database.prepare<[number]>('UPDATE faults SET remaining = remaining - 1 WHERE fault_id = ?')
  const dropSpent = database.prepare<[number]>('DELETE FROM faults WHERE fault_id = ? AND remaining <= 0')
  const clear = database.prepare<[string]>('DELETE FROM faults WHERE organization_id = ?')

  const met = database.prepare<[string, string, number], { met: number }>(
    'SELECT met FROM faults_met WHERE organization_id = ? AND key = ? AND expires_at > ?',
  )
  const meet = database.prepare<[string, string, number, number]>(
    'INSERT OR REPLACE INTO faults_met VALUES (?, ?, ?, ?)',
  )

  return {
    metUnder: (organizationId: string, key: string, now: number): number => met.get(organizationId, key, now)?.met ?? 0,
    meet: (organizationId: string, { key, met: times, expiresAt }: NonNullable<Save['faultMet']>): void =>
      void meet.run(organizationId, key, times, expiresAt),
    waitingFor: (organizationId: string, operation: string): Fault[] =>
      ofOperation.all(organizationId, operation).map(faultOf),
    spend: (faultId: number): void => {
      spend.run(faultId)
      dropSpent.run(faultId)
    },
    port: {
      addFault: async (organizationId, fault) => {
        const { left, ...record } = fault
        const { lastInsertRowid } = add.run(organizationId, fault.operation, left, JSON.stringify(record))
        return { ...fault, faultId: Number(lastInsertRowid) }
      },
      faults: async organizationId => all.all(organizationId).map(faultOf),
      clearFaults: async organizationId => clear.run(organizationId).changes,
    } satisfies Pick<Store, 'addFault' | 'faults' | 'clearFaults'>,
  }
}
