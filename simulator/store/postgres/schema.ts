import { LATER_STEPS } from './schema-later-steps.ts'

/** Numbered steps of the schema, as in the embedded store; the table `assay_schema` tells how many a database has taken. */
export const MIGRATIONS: readonly string[] = [
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
  CREATE INDEX payments_by_reference ON payments (organization_id, client_transaction_id, created_at, payment_id);
  CREATE INDEX payments_by_payer ON payments (organization_id, payer_id, created_at, payment_id)
    WHERE payer_id IS NOT NULL;
  CREATE INDEX payments_by_status ON payments (organization_id, status, created_at, payment_id);
  CREATE UNIQUE INDEX payments_by_redirect ON payments (redirect_id) WHERE redirect_id IS NOT NULL;

  CREATE TABLE events (
    event_id       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transaction_id TEXT NOT NULL,
    record         TEXT NOT NULL
  );
  CREATE INDEX events_by_payment ON events (transaction_id, event_id);

  CREATE TABLE postings (
    posting_id            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id       TEXT NOT NULL,
    account_id            TEXT NOT NULL,
    transaction_id        TEXT NOT NULL,
    kind                  TEXT NOT NULL,
    movement_id           TEXT NOT NULL,
    client_transaction_id TEXT NOT NULL,
    amount                BIGINT NOT NULL,
    currency              TEXT NOT NULL,
    at                    BIGINT NOT NULL
  );
  CREATE INDEX postings_by_time ON postings (organization_id, account_id, at, posting_id);

  CREATE TABLE jobs (
    job_id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id TEXT NOT NULL,
    due_at          BIGINT NOT NULL,
    name            TEXT NOT NULL,
    transaction_id  TEXT,
    movement_id     TEXT,
    call_key        TEXT,
    fingerprint     TEXT,
    call            TEXT
  );
  CREATE INDEX jobs_by_due_time ON jobs (organization_id, due_at, job_id);
  CREATE INDEX jobs_by_payment ON jobs (transaction_id);
  CREATE INDEX jobs_by_call_key ON jobs (organization_id, call_key) WHERE call_key IS NOT NULL;

  CREATE TABLE faults (
    fault_id        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id TEXT NOT NULL,
    operation       TEXT NOT NULL,
    remaining       BIGINT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX faults_by_operation ON faults (organization_id, operation);

  CREATE TABLE faults_met (
    organization_id TEXT NOT NULL,
    key             TEXT NOT NULL,
    met             BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL,
    PRIMARY KEY (organization_id, key)
  );

  CREATE TABLE mocks (
    mock_id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id TEXT NOT NULL,
    account_id      TEXT NOT NULL,
    key_type        TEXT NOT NULL,
    key_value       TEXT NOT NULL,
    expires_at      BIGINT NOT NULL,
    record          TEXT NOT NULL,
    used            TEXT NOT NULL DEFAULT '',
    UNIQUE (organization_id, account_id, key_type, key_value)
  );
  CREATE INDEX mocks_by_age ON mocks (organization_id, mock_id);

  CREATE TABLE phones (
    phone_id        TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    bank            TEXT NOT NULL
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

  CREATE TABLE remembered (
    position        BIGINT GENERATED ALWAYS AS IDENTITY,
    organization_id TEXT NOT NULL,
    key             TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    http            BIGINT NOT NULL,
    body            TEXT NOT NULL,
    expires_at      BIGINT NOT NULL,
    PRIMARY KEY (organization_id, key)
  );
  `,
  ...LATER_STEPS,
]
