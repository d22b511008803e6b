import type { Database } from 'better-sqlite3'
import type { RetentionCutoffs, RetentionStore } from '../retention-store.ts'

type BatchParameters = { organizationId: string; until: number; most: number }
/** A JSON list of ids of one organization's rows. */
type Ids = { organizationId: string; ids: string }

// biome-ignore format: a table reads by its columns
/** Tables whose rows no others depend on: key, cutoff and condition of expiry. */
const INDEPENDENT_TABLES = [
  // table         key                     cutoff   expired
  ['idempotency_keys', 'position',             'expired',  'expires_at <= @until'],
  ['fault_trigger_counts', 'organization_id, idempotency_key', 'expired',  'expires_at <= @until'],
  ['mocks',        'mock_id',              'expired',  'expires_at <= @until'],
  ['blik_codes',   'code_id',              'blikCodes', 'phone_id IS NULL AND expires_at <= @until'],
  ['blik_codes',   'code_id',              'messages',  'expires_at <= @until'],
  ['mandates',     'mandate_id',           'messages',  'MIN(expires_at, COALESCE(revoked_at, expires_at)) <= @until'],
  ['activities',        'position',             'messages',  'transaction_id IS NULL AND ended_at <= @until'],
] as const satisfies readonly (readonly [table: string, key: string, cutoff: keyof RetentionCutoffs, expired: string])[]

/** Opens the retention store of SQLite, which deletes expired rows, one batch per call. */
export const openRetention = (database: Database): RetentionStore => {
  const independent = INDEPENDENT_TABLES.map(([table, key, cutoff, expired]) => {
    const some = `SELECT ${key} FROM ${table} WHERE organization_id = @organizationId AND ${expired} LIMIT @most`
    return { cutoff, remove: database.prepare<[BatchParameters]>(`DELETE FROM ${table} WHERE (${key}) IN (${some})`) }
  })
  const deleteMessages = prepareMessageDeletion(database)
  const deletePayments = preparePaymentDeletion(database)
  const deleteLedgerEntries = prepareLedgerEntryDeletion(database)

  const deleteAll = database.transaction((organizationId: string, cutoffs: RetentionCutoffs, most: number): number => {
    const upTo = (until: number): BatchParameters => ({ organizationId, until, most })
    const deleted = independent.map(({ cutoff, remove }) => remove.run(upTo(cutoffs[cutoff])).changes)
    deleted.push(deleteMessages(upTo(cutoffs.messages)))
    if (cutoffs.payments !== undefined) deleted.push(deletePayments(upTo(cutoffs.payments)))
    if (cutoffs.ledgerEntries !== undefined) deleted.push(deleteLedgerEntries(upTo(cutoffs.ledgerEntries)))
    return deleted.reduce((sum, rows) => sum + rows)
  })
  return {
    deleteExpired: async (organizationId, cutoffs, most) => deleteAll.immediate(organizationId, cutoffs, most),
  }
}

const GIVEN_IDS = 'SELECT value FROM json_each(@ids)'
const IS_PENDING =
  'EXISTS (SELECT 1 FROM deliveries WHERE deliveries.message_id = messages.message_id AND due_at IS NOT NULL)'

/** Deletes expired messages without a pending delivery, with their deliveries and attempts. */
const prepareMessageDeletion = (database: Database) => {
  const expired = database.prepare<[BatchParameters], Pick<Ids, 'ids'>>(`
    SELECT json_group_array(message_id) AS ids FROM (
      SELECT message_id FROM messages WHERE organization_id = @organizationId AND due_at <= @until AND NOT ${IS_PENDING}
      ORDER BY due_at LIMIT @most)`)
  const remove = prepareMessageRowDeletion(database)
  return (batch: BatchParameters): number =>
    remove({ organizationId: batch.organizationId, ids: expired.get(batch)?.ids ?? '[]' })
}

/** Deletes the given messages with their deliveries and attempts; returns how many messages there were. */
const prepareMessageRowDeletion = (database: Database) => {
  const ofDeliveries = `SELECT delivery_id FROM deliveries WHERE message_id IN (${GIVEN_IDS})`
  const statements = [
    `DELETE FROM delivery_attempts WHERE delivery_id IN (${ofDeliveries})`,
    `DELETE FROM deliveries WHERE message_id IN (${GIVEN_IDS})`,
    `DELETE FROM messages WHERE message_id IN (${GIVEN_IDS})`,
  ].map(text => database.prepare<[Ids]>(text))
  return (ids: Ids): number => statements.map(statement => statement.run(ids).changes).at(-1) ?? 0
}

/** Deletes expired payments without pending work, their events and messages. */
const preparePaymentDeletion = (database: Database) => {
  const expired = database.prepare<[BatchParameters], Pick<Ids, 'ids'>>(`
    SELECT json_group_array(transaction_id) AS ids FROM (
      SELECT transaction_id FROM payments WHERE organization_id = @organizationId AND created_at <= @until
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.transaction_id = payments.transaction_id)
        AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.organization_id = payments.organization_id
          AND messages.transaction_id = payments.transaction_id AND ${IS_PENDING})
      ORDER BY created_at LIMIT @most)`)
  const messagesOf = database.prepare<[Ids], Pick<Ids, 'ids'>>(`
    SELECT json_group_array(message_id) AS ids FROM messages
    WHERE organization_id = @organizationId AND transaction_id IN (${GIVEN_IDS})`)
  const deleteMessageRows = prepareMessageRowDeletion(database)
  const statements = [
    `DELETE FROM payment_events WHERE transaction_id IN (${GIVEN_IDS})`,
    `DELETE FROM activities WHERE organization_id = @organizationId AND transaction_id IN (${GIVEN_IDS})`,
    `DELETE FROM payments WHERE transaction_id IN (${GIVEN_IDS})`,
  ].map(text => database.prepare<[Ids]>(text))
  return (batch: BatchParameters): number => {
    const { organizationId } = batch
    const ids = { organizationId, ids: expired.get(batch)?.ids ?? '[]' }
    deleteMessageRows({ organizationId, ids: messagesOf.get(ids)?.ids ?? '[]' })
    return statements.map(statement => statement.run(ids).changes).at(-1) ?? 0
  }
}

/** Deletes expired ledger entries, whether their payments are there or not: a report has the whole of a day (D-75). */
const prepareLedgerEntryDeletion = (database: Database) => {
  const accounts =
    'SELECT value FROM json_each((SELECT account_ids FROM organizations WHERE organization_id = @organizationId))'
  const remove = database.prepare<[BatchParameters]>(`
    DELETE FROM ledger_entries WHERE ledger_entry_id IN (
      SELECT ledger_entry_id FROM ledger_entries
      WHERE organization_id = @organizationId AND account_id IN (${accounts}) AND booked_at <= @until LIMIT @most)`)
  return (batch: BatchParameters): number => remove.run(batch).changes
}
