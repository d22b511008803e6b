import type { Database } from 'better-sqlite3'
import type { ClockSetting } from '../../support/clock.ts'
import type { BlikCodeRow, IdempotencyKeyRow, JobRow, OrganizationRow, PaymentRow, RecordRow } from '../row-mapping.ts'
import type { Reply } from '../unit-of-work.ts'

type Query<Parameters extends unknown[], Row> = {
  get(...parameters: Parameters): Row | undefined
  all(...parameters: Parameters): Row[]
}
type Run<Parameters extends unknown[]> = { run(...parameters: Parameters): { changes: number } }

type IdempotencyKey = { organizationId: string; key: string }

/** Prepares SQLite statements for payments, events, jobs, idempotency keys, BLIK codes, organizations and settings. */
export const preparePaymentAndOrganizationStatements = (database: Database) => {
  const query = <Parameters extends unknown[], Row>(text: string): Query<Parameters, Row> =>
    database.prepare<Parameters, Row>(text)
  const run = <Parameters extends unknown[]>(text: string): Run<Parameters> => database.prepare<Parameters>(text)
  return {
    payment: query<[string, string], RecordRow>(
      'SELECT record FROM payments WHERE transaction_id = ? AND organization_id = ?',
    ),
    paymentByRedirect: query<[string], RecordRow>('SELECT record FROM payments WHERE redirect_id = ?'),
    savePayment: run<[PaymentRow]>(`
      INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, payer_id, provider_id,
        status, amount, created_at, redirect_id, record, hash)
      VALUES (@transactionId, @organizationId, @processingAccountId, @clientTransactionId, @payerId, @providerId,
        @status, @amount, @createdAt, @redirectId, @record, hash_of(@organizationId, @clientTransactionId))
      ON CONFLICT (transaction_id) DO UPDATE SET status = excluded.status, record = excluded.record`),
    events: query<[string], RecordRow>('SELECT record FROM payment_events WHERE transaction_id = ? ORDER BY event_id'),
    addEvent: run<[string, string]>('INSERT INTO payment_events (transaction_id, record) VALUES (?, ?)'),

    addJob: run<[string, number, string, string, string | null]>(
      'INSERT INTO jobs (organization_id, due_at, name, transaction_id, capture_or_refund_id) VALUES (?, ?, ?, ?, ?)',
    ),
    dropJobs: run<[string, string]>(
      `DELETE FROM jobs WHERE transaction_id = ? AND late_call_key IS NULL AND INSTR(?, '"' || name || '"') = 0`,
    ),
    deleteJob: run<[number, string]>('DELETE FROM jobs WHERE job_id = ? AND organization_id = ?'),
    nextDue: query<[string], { due_at: number | null }>(
      'SELECT MIN(due_at) AS due_at FROM jobs WHERE organization_id = ?',
    ),
    dueJob: query<[string, number], JobRow>(
      'SELECT * FROM jobs WHERE organization_id = ? AND due_at <= ? ORDER BY due_at, job_id LIMIT 1',
    ),

    /** Oldest first; the last one counts. */
    idempotencyKey: query<[IdempotencyKey & { now: number }], IdempotencyKeyRow>(`
      SELECT request_fingerprint, response_status, response_body FROM idempotency_keys INDEXED BY idempotency_keys_by_hash
      WHERE hash = hash_of(@organizationId, @key) AND organization_id = @organizationId AND idempotency_key = @key
        AND expires_at > @now`),
    /** May stand beside an expired row of the same key until retention deletes that. */
    saveIdempotencyKey: run<[IdempotencyKey & Reply & { fingerprint: string; expiresAt: number }]>(`
      INSERT INTO idempotency_keys (organization_id, idempotency_key, request_fingerprint, response_status,
        response_body, expires_at, hash)
      VALUES (@organizationId, @key, @fingerprint, @http, @body, @expiresAt, hash_of(@organizationId, @key))`),

    addCode: run<[string, string, string, number, number, string | null]>(
      'INSERT INTO blik_codes (code_id, organization_id, code, expires_at, recurring, phone_id) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    liveCode: query<[string, string, number], BlikCodeRow>(
      'SELECT * FROM blik_codes WHERE organization_id = ? AND code = ? AND expires_at > ?',
    ),
    codeById: query<[string, string], BlikCodeRow>(
      'SELECT * FROM blik_codes WHERE code_id = ? AND organization_id = ?',
    ),
    useCode: run<[string, string]>('UPDATE blik_codes SET transaction_id = ? WHERE code_id = ?'),

    addOrganization: run<[string, string, string]>(`
      INSERT INTO organizations (organization_id, account_ids, kit, position)
      VALUES (?, ?, ?, (SELECT COALESCE(MAX(position) + 1, 0) FROM organizations))`),
    organizations: query<[], OrganizationRow>('SELECT * FROM organizations ORDER BY position'),
    someOrganizations: query<[string, number, number], OrganizationRow>(
      'SELECT * FROM organizations WHERE INSTR(organization_id, ?) > 0 ORDER BY position LIMIT ? OFFSET ?',
    ),
    countOrganizations: query<[string], { fitting: number; total: number }>(`
      SELECT COUNT(*) FILTER (WHERE INSTR(organization_id, ?) > 0) AS fitting, COUNT(*) AS total FROM organizations`),
    organization: query<[string], OrganizationRow>('SELECT * FROM organizations WHERE organization_id = ?'),
    setKit: run<[string, string]>('UPDATE organizations SET kit = ? WHERE organization_id = ?'),
    setClock: run<[ClockSetting & { organizationId: string }]>(`
      UPDATE organizations SET clock_anchor_real = @anchorReal, clock_anchor_virtual = @anchorVirtual,
        clock_rate = @rate WHERE organization_id = @organizationId`),
    setCapabilities: run<[string, string]>('UPDATE organizations SET capabilities = ? WHERE organization_id = ?'),

    setting: query<[string], { value: string }>('SELECT value FROM settings WHERE name = ?'),
    saveSetting: run<[string, string]>('INSERT OR REPLACE INTO settings VALUES (?, ?)'),
  }
}
