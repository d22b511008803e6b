import { LATER_STEPS } from './schema-later-steps.ts'

/** Numbered steps of the schema; `PRAGMA user_version` tells how many a file has taken. */
export const MIGRATIONS = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE organizations (
    organization_id TEXT PRIMARY KEY,
    account_ids     TEXT NOT NULL,
    clock_offset    INTEGER NOT NULL DEFAULT 0,
    kit             TEXT NOT NULL,
    capabilities    TEXT NOT NULL DEFAULT '{}',
    position        INTEGER NOT NULL
  ) WITHOUT ROWID;

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
    record                TEXT NOT NULL
  );
  CREATE INDEX payments_by_time ON payments (organization_id, created_at);
  CREATE INDEX payments_by_reference ON payments (organization_id, client_transaction_id, created_at);
  CREATE INDEX payments_by_payer ON payments (organization_id, payer_id, created_at) WHERE payer_id IS NOT NULL;
  CREATE INDEX payments_by_status ON payments (organization_id, status, created_at);
  CREATE UNIQUE INDEX payments_by_redirect ON payments (redirect_id) WHERE redirect_id IS NOT NULL;

  CREATE TABLE events (
    event_id        INTEGER PRIMARY KEY,
    transaction_id  TEXT NOT NULL REFERENCES payments (transaction_id),
    record          TEXT NOT NULL
  );
  CREATE INDEX events_by_payment ON events (transaction_id);

  CREATE TABLE postings (
    posting_id            INTEGER PRIMARY KEY,
    organization_id       TEXT NOT NULL REFERENCES organizations,
    account_id            TEXT NOT NULL,
    transaction_id        TEXT NOT NULL REFERENCES payments (transaction_id),
    kind                  TEXT NOT NULL,
    movement_id           TEXT NOT NULL,
    client_transaction_id TEXT NOT NULL,
    amount                INTEGER NOT NULL,
    currency              TEXT NOT NULL,
    at                    INTEGER NOT NULL
  );
  CREATE INDEX postings_by_time ON postings (organization_id, account_id, at);

  CREATE TABLE jobs (
    job_id          INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    due_at          INTEGER NOT NULL,
    name            TEXT NOT NULL,
    transaction_id  TEXT REFERENCES payments (transaction_id),
    movement_id     TEXT,
    call_key        TEXT,
    fingerprint     TEXT,
    call            TEXT
  );
  CREATE INDEX jobs_by_due_time ON jobs (organization_id, due_at);
  CREATE INDEX jobs_by_payment ON jobs (transaction_id);
  CREATE INDEX jobs_by_call_key ON jobs (organization_id, call_key) WHERE call_key IS NOT NULL;

  CREATE TABLE faults (
    fault_id        INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    operation       TEXT NOT NULL,
    remaining       INTEGER NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX faults_by_operation ON faults (organization_id, operation);

  CREATE TABLE mocks (
    mock_id         INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    account_id      TEXT NOT NULL,
    key_type        TEXT NOT NULL,
    key_value       TEXT NOT NULL,
    expires_at      INTEGER NOT NULL,
    record          TEXT NOT NULL,
    UNIQUE (organization_id, account_id, key_type, key_value)
  );

  CREATE TABLE blik_codes (
    code_id         TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    code            TEXT NOT NULL,
    expires_at      INTEGER NOT NULL,
    recurring       INTEGER NOT NULL DEFAULT 1,
    transaction_id  TEXT REFERENCES payments (transaction_id)
  ) WITHOUT ROWID;
  CREATE INDEX blik_codes_by_code ON blik_codes (organization_id, code, expires_at);

  CREATE TABLE mandates (
    mandate_id      INTEGER PRIMARY KEY,
    payment_token   TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organizations,
    account_id      TEXT NOT NULL,
    payer_id        TEXT NOT NULL,
    provider_id     TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    revoked_at      INTEGER
  );
  CREATE INDEX mandates_by_payer ON mandates (organization_id, account_id, provider_id, payer_id, mandate_id);

  CREATE TABLE remembered (
    organization_id TEXT NOT NULL REFERENCES organizations,
    key             TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    http            INTEGER NOT NULL,
    body            TEXT NOT NULL,
    expires_at      INTEGER NOT NULL,
    PRIMARY KEY (organization_id, key)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE snapshots (
    snapshot_id     INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    name            TEXT NOT NULL,
    taken_at        INTEGER NOT NULL,
    document        TEXT NOT NULL,
    UNIQUE (organization_id, name)
  );
  `,
  `
  ALTER TABLE organizations RENAME COLUMN clock_offset TO clock_anchor_virtual;
  ALTER TABLE organizations ADD COLUMN clock_anchor_real INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE organizations ADD COLUMN clock_rate REAL NOT NULL DEFAULT 1;
  `,
  `
  CREATE TABLE endpoints (
    position        INTEGER PRIMARY KEY,
    endpoint_id     TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organizations,
    record          TEXT NOT NULL
  );
  CREATE INDEX endpoints_by_organization ON endpoints (organization_id);

  CREATE TABLE notifications (
    position              INTEGER PRIMARY KEY,
    sending_id            TEXT NOT NULL UNIQUE,
    organization_id       TEXT NOT NULL REFERENCES organizations,
    notification_id       TEXT NOT NULL,
    type                  TEXT NOT NULL,
    transaction_id        TEXT NOT NULL,
    client_transaction_id TEXT NOT NULL,
    body                  TEXT NOT NULL,
    due_at                INTEGER NOT NULL,
    variant               TEXT NOT NULL,
    in_inbox              INTEGER NOT NULL
  );
  CREATE INDEX notifications_by_time ON notifications (organization_id, due_at);
  CREATE INDEX notifications_by_payment ON notifications (organization_id, transaction_id, due_at);

  CREATE TABLE deliveries (
    position        INTEGER PRIMARY KEY,
    delivery_id     TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organizations,
    endpoint_id     TEXT NOT NULL,
    sending_id      TEXT NOT NULL,
    first_due_at    INTEGER NOT NULL,
    due_at          INTEGER,
    tries           INTEGER NOT NULL,
    state           TEXT NOT NULL
  );
  CREATE INDEX deliveries_by_due_time ON deliveries (organization_id, due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, due_at);
  CREATE INDEX deliveries_by_sending ON deliveries (sending_id);

  CREATE TABLE attempts (
    position        INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    delivery_id     TEXT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX attempts_by_delivery ON attempts (delivery_id);

  CREATE TABLE delivery_plans (
    position        INTEGER PRIMARY KEY,
    plan_id         TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organizations,
    remaining       INTEGER NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX delivery_plans_by_organization ON delivery_plans (organization_id);
  `,
  `
  CREATE TABLE faults_met (
    organization_id TEXT NOT NULL REFERENCES organizations,
    key             TEXT NOT NULL,
    met             INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    PRIMARY KEY (organization_id, key)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE deeds (
    position        INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    transaction_id  TEXT,
    until           INTEGER NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX deeds_by_payment ON deeds (organization_id, transaction_id, until);
  CREATE INDEX attempts_by_organization ON attempts (organization_id);
  `,
  ...LATER_STEPS,
] as const
