import type { Database } from 'better-sqlite3'
import type { ClockSetting } from '../../clock.ts'
import type { CodeRow, JobRow, OrganizationRow, RecordRow, RememberedRow } from '../rows.ts'

type Query<Parameters extends unknown[], Row> = {
  get(...parameters: Parameters): Row | undefined
  all(...parameters: Parameters): Row[]
}
type Run<Parameters extends unknown[]> = { run(...parameters: Parameters): { changes: number } }

type Text = string
type PaymentValues = [Text, Text, Text, Text, Text | null, Text, Text, number | null, number, Text | null, Text, number]

type Key = [hash: number, organizationId: string, key: string]
const OF_KEY = 'INDEXED BY remembered_by_hash WHERE hash = ? AND organization_id = ? AND key = ?'

/** Every statement of the embedded store, compiled once. */
export const prepareStatements = (database: Database) => {
  const query = <Parameters extends unknown[], Row>(text: string): Query<Parameters, Row> =>
    database.prepare<Parameters, Row>(text)
  const run = <Parameters extends unknown[]>(text: string): Run<Parameters> => database.prepare<Parameters>(text)
  return {
    payment: query<[string, string], RecordRow>(
      'SELECT record FROM payments WHERE transaction_id = ? AND organization_id = ?',
    ),
    paymentByRedirect: query<[string], RecordRow>('SELECT record FROM payments WHERE redirect_id = ?'),
    savePayment: run<PaymentValues>(`
      INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, payer_id, provider_id,
        status, amount, created_at, redirect_id, record, hash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (transaction_id) DO UPDATE SET status = excluded.status, record = excluded.record`),
    events: query<[string], RecordRow>('SELECT record FROM events WHERE transaction_id = ? ORDER BY event_id'),
    addEvent: run<[string, string]>('INSERT INTO events (transaction_id, record) VALUES (?, ?)'),

    addJob: run<[string, number, string, string, string | null]>(
      'INSERT INTO jobs (organization_id, due_at, name, transaction_id, movement_id) VALUES (?, ?, ?, ?, ?)',
    ),
    dropJobs: run<[string, string]>(
      `DELETE FROM jobs WHERE transaction_id = ? AND call_key IS NULL AND INSTR(?, '"' || name || '"') = 0`,
    ),
    deleteJob: run<[number, string]>('DELETE FROM jobs WHERE job_id = ? AND organization_id = ?'),
    nextDue: query<[string], { due_at: number | null }>(
      'SELECT MIN(due_at) AS due_at FROM jobs WHERE organization_id = ?',
    ),
    dueJob: query<[string, number], JobRow>(
      'SELECT * FROM jobs WHERE organization_id = ? AND due_at <= ? ORDER BY due_at, job_id LIMIT 1',
    ),

    /** Oldest first: the last one counts. */
    remembered: query<[...Key, number], RememberedRow>(
      `SELECT fingerprint, http, body FROM remembered ${OF_KEY} AND expires_at > ?`,
    ),
    /** Beside one of the same key that ended, until retention drops that. */
    remember: run<[...Key, string, number, string, number]>(`
      INSERT INTO remembered (hash, organization_id, key, fingerprint, http, body, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`),

    addCode: run<[string, string, string, number, number, string | null]>(
      'INSERT INTO blik_codes (code_id, organization_id, code, expires_at, recurring, phone_id) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    liveCode: query<[string, string, number], CodeRow>(
      'SELECT * FROM blik_codes WHERE organization_id = ? AND code = ? AND expires_at > ?',
    ),
    codeById: query<[string, string], CodeRow>('SELECT * FROM blik_codes WHERE code_id = ? AND organization_id = ?'),
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
