import { RENAME_RESPONSES } from '../rename-answer-to-response-migration.ts'
import { WEBHOOK_TABLES } from './webhook-schema.ts'

/** Creates advisory_key, which gives a lock's name its number: of this schema alone, but in a schema from before the function as it was. */
const ADVISORY_KEY = `
  DO $$ BEGIN EXECUTE format('CREATE FUNCTION advisory_key(name TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS %L',
    format('SELECT hashtextextended(name, %L::bigint)',
      CASE WHEN EXISTS (SELECT FROM organizations) THEN 0 ELSE hashtextextended(current_schema(), 0) END)); END $$`

/** An index that is built while replicas of the version before go on writing. */
export type ConcurrentIndex = { index: string; on: string }

/** SQL statements of one transaction, or an index. Replicas of the version before must be able to go on with each (docs/upgrade.md). */
export type Migration = string | ConcurrentIndex

/** Migrations of the PostgreSQL schema, in order; the table `assay_migrations` has a row for each one applied. */
export const MIGRATIONS: readonly Migration[] = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);

  CREATE TABLE organizations (
    organization_id      TEXT PRIMARY KEY,
    account_ids          TEXT NOT NULL,
    kit                  TEXT NOT NULL,
    capabilities         TEXT NOT NULL DEFAULT '{}',
    position             BIGINT GENERATED ALWAYS AS IDENTITY,
    clock_anchor_virtual BIGINT NOT NULL DEFAULT 0,
    clock_anchor_real    BIGINT NOT NULL DEFAULT 0,
    clock_rate           DOUBLE PRECISION NOT NULL DEFAULT 1
  );
  CREATE INDEX organizations_by_position ON organizations (position);

  CREATE TABLE certificates (
    registration_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fingerprint     TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    pem             TEXT NOT NULL,
    public_key      TEXT NOT NULL,
    registered_at   BIGINT NOT NULL,
    revoked_at      BIGINT
  );
  CREATE INDEX certificates_by_key ON certificates (organization_id, md5(public_key));

  CREATE TABLE signing_keys (
    registration_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key_id          TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    algorithm       TEXT NOT NULL,
    public_key      TEXT NOT NULL,
    registered_at   BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL,
    deregistered_at BIGINT
  );
  CREATE INDEX signing_keys_by_key ON signing_keys (organization_id, md5(public_key));

  CREATE TABLE snapshots (
    snapshot_id     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id TEXT NOT NULL,
    name            TEXT NOT NULL,
    taken_at        BIGINT NOT NULL,
    document        TEXT NOT NULL,
    UNIQUE (organization_id, name)
  );

  CREATE TABLE payments (
    payment_id            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transaction_id        TEXT NOT NULL UNIQUE,
    organization_id       TEXT NOT NULL,
    account_id            TEXT NOT NULL,
    client_transaction_id TEXT NOT NULL,
    payer_id              TEXT,
    provider_id           TEXT NOT NULL,
    status                TEXT NOT NULL,
    amount                BIGINT,
    created_at            BIGINT NOT NULL,
    redirect_id           TEXT,
    record                TEXT NOT NULL
  );
  CREATE INDEX payments_by_time ON payments (organization_id, created_at, payment_id);
  CREATE INDEX payments_by_client_transaction_id
    ON payments (organization_id, client_transaction_id, created_at, payment_id);
  CREATE INDEX payments_by_payer ON payments (organization_id, payer_id, created_at, payment_id)
    WHERE payer_id IS NOT NULL;
  CREATE INDEX payments_by_status ON payments (organization_id, status, created_at, payment_id);
  CREATE UNIQUE INDEX payments_by_redirect ON payments (redirect_id) WHERE redirect_id IS NOT NULL;

  CREATE TABLE payment_events (
    event_id       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transaction_id TEXT NOT NULL,
    record         TEXT NOT NULL
  );
  CREATE INDEX payment_events_by_payment ON payment_events (transaction_id, event_id);

  CREATE TABLE ledger_entries (
    ledger_entry_id       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id       TEXT NOT NULL,
    account_id            TEXT NOT NULL,
    transaction_id        TEXT NOT NULL,
    kind                  TEXT NOT NULL,
    capture_or_refund_id  TEXT NOT NULL,
    client_transaction_id TEXT NOT NULL,
    amount                BIGINT NOT NULL,
    currency              TEXT NOT NULL,
    booked_at             BIGINT NOT NULL
  );
  CREATE INDEX ledger_entries_by_time ON ledger_entries (organization_id, account_id, booked_at, ledger_entry_id);

  CREATE TABLE jobs (
    job_id                BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id       TEXT NOT NULL,
    due_at                BIGINT NOT NULL,
    name                  TEXT NOT NULL,
    transaction_id        TEXT,
    capture_or_refund_id  TEXT,
    late_call_key         TEXT,
    late_call_fingerprint TEXT,
    late_call             TEXT
  );
  CREATE INDEX jobs_by_due_time ON jobs (organization_id, due_at, job_id);
  CREATE INDEX jobs_by_payment ON jobs (transaction_id);
  CREATE INDEX jobs_by_late_call_key ON jobs (organization_id, late_call_key) WHERE late_call_key IS NOT NULL;

  CREATE TABLE faults (
    fault_id        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id TEXT NOT NULL,
    operation       TEXT NOT NULL,
    remaining_calls BIGINT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX faults_by_operation ON faults (organization_id, operation);

  CREATE TABLE fault_trigger_counts (
    organization_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    trigger_count   BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL,
    PRIMARY KEY (organization_id, idempotency_key)
  );

  CREATE TABLE mocks (
    mock_id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id TEXT NOT NULL,
    account_id      TEXT NOT NULL,
    key_type        TEXT NOT NULL,
    key_value       TEXT NOT NULL,
    expires_at      BIGINT NOT NULL,
    record          TEXT NOT NULL,
    used_steps      TEXT NOT NULL DEFAULT '',
    UNIQUE (organization_id, account_id, key_type, key_value)
  );
  CREATE INDEX mocks_by_organization ON mocks (organization_id, mock_id);

  CREATE TABLE phones (
    phone_id        TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    bank_id         TEXT NOT NULL
  );
  CREATE INDEX phones_by_organization ON phones (organization_id);

  CREATE TABLE blik_codes (
    code_id         TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    code            TEXT NOT NULL,
    expires_at      BIGINT NOT NULL,
    recurring       BIGINT NOT NULL DEFAULT 1,
    transaction_id  TEXT,
    phone_id        TEXT
  );
  CREATE INDEX blik_codes_by_code ON blik_codes (organization_id, code, expires_at);
  CREATE INDEX blik_codes_by_expiry ON blik_codes (organization_id, expires_at);

  CREATE TABLE mandates (
    mandate_id      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payment_token   TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    account_id      TEXT NOT NULL,
    payer_id        TEXT NOT NULL,
    provider_id     TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL,
    revoked_at      BIGINT,
    phone_id        TEXT
  );
  CREATE INDEX mandates_by_payer ON mandates (organization_id, account_id, provider_id, payer_id, mandate_id);
  CREATE INDEX mandates_by_phone ON mandates (phone_id) WHERE phone_id IS NOT NULL;
  CREATE INDEX mandates_by_organization ON mandates (organization_id, mandate_id);
  CREATE INDEX mandates_by_expiry ON mandates (organization_id, LEAST(expires_at, revoked_at));

  CREATE TABLE idempotency_keys (
    position            BIGINT GENERATED ALWAYS AS IDENTITY,
    organization_id     TEXT NOT NULL,
    idempotency_key     TEXT NOT NULL,
    request_fingerprint TEXT NOT NULL,
    response_status     BIGINT NOT NULL,
    response_body       TEXT NOT NULL,
    expires_at          BIGINT NOT NULL,
    PRIMARY KEY (organization_id, idempotency_key)
  );
  CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (organization_id, expires_at);

  CREATE TABLE activities (
    position        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id TEXT NOT NULL,
    transaction_id  TEXT,
    ended_at        BIGINT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX activities_by_payment ON activities (organization_id, transaction_id, ended_at);

  CREATE UNLOGGED TABLE shared_calls (
    position      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    replica       TEXT NOT NULL,
    journal_entry TEXT NOT NULL,
    request_body  BYTEA
  );

  CREATE UNLOGGED TABLE rate_limit_buckets (
    organization_id TEXT PRIMARY KEY,
    level           DOUBLE PRECISION NOT NULL,
    requested_level DOUBLE PRECISION NOT NULL,
    updated_at      BIGINT NOT NULL
  );

  ${WEBHOOK_TABLES}`,
  'ALTER TABLE organizations ADD COLUMN dialect TEXT',
  'ALTER TABLE organizations ADD COLUMN tokens TEXT',
  RENAME_RESPONSES,
  'ALTER TABLE organizations ADD COLUMN control_tokens TEXT',
  `${ADVISORY_KEY};
  ALTER TABLE shared_calls ADD COLUMN organization_id TEXT`,
  { index: 'shared_calls_by_organization', on: 'shared_calls (organization_id)' },
  { index: 'deliveries_by_state', on: 'deliveries (organization_id, endpoint_id, state, attempt_count)' },
  { index: 'blik_codes_by_phone', on: 'blik_codes (phone_id, expires_at) WHERE phone_id IS NOT NULL' },
  'ALTER TABLE deliveries ADD COLUMN resent_at BIGINT',
  { index: 'deliveries_by_resend', on: 'deliveries (organization_id, resent_at) WHERE resent_at IS NOT NULL' },
  { index: 'mocks_by_key', on: 'mocks (organization_id, key_value)' },
  // Kept for minutes: compressed, and in a table of their own, its rows took a tenth of the time of PostgreSQL.
  `ALTER TABLE shared_calls ALTER COLUMN journal_entry SET STORAGE EXTERNAL;
  ALTER TABLE shared_calls SET (toast_tuple_target = 8160)`,
  'ALTER TABLE ledger_entries ADD COLUMN reference TEXT, ADD COLUMN provider_id TEXT',
  'ALTER TABLE mandates ADD COLUMN scenario TEXT',
  { index: 'messages_in_inbox', on: 'messages (organization_id, due_at, position) WHERE in_inbox = 1' },
]
