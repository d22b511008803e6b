import { RENAME_RESPONSES } from '../rename-answer-to-response-migration.ts'
import { WEBHOOK_TABLES } from './webhook-schema.ts'

/** Version of the first released SQLite schema; builds before the first release had others, up to 12. */
export const FIRST_VERSION = 13

/**
 * Migrations of the SQLite schema, in order: the first makes FIRST_VERSION, each other one the next version. `PRAGMA
 * user_version` holds the version of a file.
 */
export const MIGRATIONS = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE organizations (
    organization_id      TEXT PRIMARY KEY,
    account_ids          TEXT NOT NULL,
    kit                  TEXT NOT NULL,
    capabilities         TEXT NOT NULL DEFAULT '{}',
    position             INTEGER NOT NULL,
    clock_anchor_virtual INTEGER NOT NULL DEFAULT 0,
    clock_anchor_real    INTEGER NOT NULL DEFAULT 0,
    clock_rate           REAL NOT NULL DEFAULT 1
  ) WITHOUT ROWID;
  CREATE INDEX organizations_by_position ON organizations (position);

  CREATE TABLE certificates (
    registration_id INTEGER PRIMARY KEY,
    fingerprint     TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organizations,
    pem             TEXT NOT NULL,
    public_key      TEXT NOT NULL,
    registered_at   INTEGER NOT NULL,
    revoked_at      INTEGER
  );
  CREATE INDEX certificates_by_key ON certificates (organization_id, public_key);

  CREATE TABLE signing_keys (
    registration_id INTEGER PRIMARY KEY,
    key_id          TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organizations,
    algorithm       TEXT NOT NULL,
    public_key      TEXT NOT NULL,
    registered_at   INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    deregistered_at INTEGER
  );
  CREATE INDEX signing_keys_by_key ON signing_keys (organization_id, public_key);

  CREATE TABLE snapshots (
    snapshot_id     INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    name            TEXT NOT NULL,
    taken_at        INTEGER NOT NULL,
    document        TEXT NOT NULL,
    UNIQUE (organization_id, name)
  );

  CREATE TABLE payments (
    payment_id            INTEGER PRIMARY KEY,
    transaction_id        TEXT NOT NULL UNIQUE,
    organization_id       TEXT NOT NULL REFERENCES organizations,
    account_id            TEXT NOT NULL,
    client_transaction_id TEXT NOT NULL,
    payer_id              TEXT,
    provider_id           TEXT NOT NULL,
    status                TEXT NOT NULL,
    amount                INTEGER,
    created_at            INTEGER NOT NULL,
    redirect_id           TEXT,
    record                TEXT NOT NULL,
    hash                  INTEGER
  );
  CREATE INDEX payments_by_time ON payments (organization_id, created_at);
  CREATE INDEX payments_by_client_transaction_id ON payments (hash, created_at);
  CREATE INDEX payments_by_payer ON payments (organization_id, payer_id, created_at) WHERE payer_id IS NOT NULL;
  CREATE INDEX payments_by_status ON payments (organization_id, status, created_at);
  CREATE UNIQUE INDEX payments_by_redirect ON payments (redirect_id) WHERE redirect_id IS NOT NULL;

  CREATE TABLE payment_events (
    event_id       INTEGER PRIMARY KEY,
    transaction_id TEXT NOT NULL REFERENCES payments (transaction_id),
    record         TEXT NOT NULL
  );
  CREATE INDEX payment_events_by_payment ON payment_events (transaction_id);

  CREATE TABLE ledger_entries (
    ledger_entry_id       INTEGER PRIMARY KEY,
    organization_id       TEXT NOT NULL REFERENCES organizations,
    account_id            TEXT NOT NULL,
    transaction_id        TEXT NOT NULL REFERENCES payments (transaction_id),
    kind                  TEXT NOT NULL,
    capture_or_refund_id  TEXT NOT NULL,
    client_transaction_id TEXT NOT NULL,
    amount                INTEGER NOT NULL,
    currency              TEXT NOT NULL,
    booked_at             INTEGER NOT NULL
  );
  CREATE INDEX ledger_entries_by_time ON ledger_entries (organization_id, account_id, booked_at);

  -- AUTOINCREMENT never reuses a number, so that finishing a job that is already gone cannot delete another one.
  CREATE TABLE jobs (
    job_id                INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id       TEXT NOT NULL REFERENCES organizations,
    due_at                INTEGER NOT NULL,
    name                  TEXT NOT NULL,
    transaction_id        TEXT REFERENCES payments (transaction_id),
    capture_or_refund_id  TEXT,
    late_call_key         TEXT,
    late_call_fingerprint TEXT,
    late_call             TEXT
  );
  CREATE INDEX jobs_by_due_time ON jobs (organization_id, due_at);
  CREATE INDEX jobs_by_payment ON jobs (transaction_id);
  CREATE INDEX jobs_by_late_call_key ON jobs (organization_id, late_call_key) WHERE late_call_key IS NOT NULL;

  CREATE TABLE faults (
    fault_id        INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    operation       TEXT NOT NULL,
    remaining_calls INTEGER NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX faults_by_operation ON faults (organization_id, operation);

  CREATE TABLE fault_trigger_counts (
    organization_id TEXT NOT NULL REFERENCES organizations,
    idempotency_key TEXT NOT NULL,
    trigger_count   INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    PRIMARY KEY (organization_id, idempotency_key)
  ) WITHOUT ROWID;

  CREATE TABLE mocks (
    mock_id         INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    account_id      TEXT NOT NULL,
    key_type        TEXT NOT NULL,
    key_value       TEXT NOT NULL,
    expires_at      INTEGER NOT NULL,
    record          TEXT NOT NULL,
    used_steps      TEXT NOT NULL DEFAULT '',
    UNIQUE (organization_id, account_id, key_type, key_value)
  );

  CREATE TABLE phones (
    phone_id        TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    bank_id         TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX phones_by_organization ON phones (organization_id);

  CREATE TABLE blik_codes (
    code_id         TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    code            TEXT NOT NULL,
    expires_at      INTEGER NOT NULL,
    recurring       INTEGER NOT NULL DEFAULT 1,
    transaction_id  TEXT REFERENCES payments (transaction_id),
    phone_id        TEXT
  ) WITHOUT ROWID;
  CREATE INDEX blik_codes_by_code ON blik_codes (organization_id, code, expires_at);
  CREATE INDEX blik_codes_by_expiry ON blik_codes (organization_id, expires_at);

  CREATE TABLE mandates (
    mandate_id      INTEGER PRIMARY KEY,
    payment_token   TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organizations,
    account_id      TEXT NOT NULL,
    payer_id        TEXT NOT NULL,
    provider_id     TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    revoked_at      INTEGER,
    phone_id        TEXT
  );
  CREATE INDEX mandates_by_payer ON mandates (organization_id, account_id, provider_id, payer_id, mandate_id);
  CREATE INDEX mandates_by_phone ON mandates (phone_id) WHERE phone_id IS NOT NULL;

  CREATE TABLE idempotency_keys (
    position            INTEGER PRIMARY KEY,
    organization_id     TEXT NOT NULL REFERENCES organizations,
    idempotency_key     TEXT NOT NULL,
    request_fingerprint TEXT NOT NULL,
    response_status     INTEGER NOT NULL,
    response_body       TEXT NOT NULL,
    expires_at          INTEGER NOT NULL,
    hash                INTEGER
  );
  CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (organization_id, expires_at);
  CREATE INDEX idempotency_keys_by_hash ON idempotency_keys (hash);

  CREATE TABLE activities (
    position        INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    transaction_id  TEXT,
    ended_at        INTEGER NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX activities_by_payment ON activities (organization_id, transaction_id, ended_at);

  ${WEBHOOK_TABLES}`,
  'ALTER TABLE organizations ADD COLUMN dialect TEXT',
  'ALTER TABLE organizations ADD COLUMN tokens TEXT',
  RENAME_RESPONSES,
  'ALTER TABLE organizations ADD COLUMN control_tokens TEXT',
  'CREATE INDEX deliveries_by_state ON deliveries (organization_id, endpoint_id, state, attempt_count)',
  'CREATE INDEX blik_codes_by_phone ON blik_codes (phone_id, expires_at) WHERE phone_id IS NOT NULL',
  'ALTER TABLE snapshots ADD COLUMN bytes INTEGER',
  `ALTER TABLE deliveries ADD COLUMN resent_at INTEGER;
  CREATE INDEX deliveries_by_resend ON deliveries (organization_id, resent_at) WHERE resent_at IS NOT NULL`,
  `ALTER TABLE ledger_entries ADD COLUMN reference TEXT;
  ALTER TABLE ledger_entries ADD COLUMN provider_id TEXT`,
  `CREATE INDEX deliveries_by_organization ON deliveries (organization_id);
  CREATE INDEX mandates_by_organization ON mandates (organization_id);
  CREATE INDEX mandates_by_expiry ON mandates (organization_id, MIN(expires_at, COALESCE(revoked_at, expires_at)))`,
  'ALTER TABLE mandates ADD COLUMN scenario TEXT',
  'CREATE INDEX messages_in_inbox ON messages (organization_id, due_at) WHERE in_inbox = 1',
] as const
