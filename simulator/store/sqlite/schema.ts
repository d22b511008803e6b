/** Numbered steps of the schema; `PRAGMA user_version` tells how many a file has taken. */
export const MIGRATIONS = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE organizations (
    organization_id TEXT PRIMARY KEY,
    account_ids     TEXT NOT NULL,
    clock_offset    INTEGER NOT NULL DEFAULT 0,
    kit             TEXT NOT NULL,
    position        INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE certificates (
    fingerprint     TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    pem             TEXT NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE signing_keys (
    key_id          TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    algorithm       TEXT NOT NULL,
    public_key      TEXT NOT NULL,
    expires_at      INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE payments (
    transaction_id  TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    redirect_id     TEXT,
    record          TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX payments_by_redirect ON payments (redirect_id) WHERE redirect_id IS NOT NULL;

  CREATE TABLE events (
    event_id        INTEGER PRIMARY KEY,
    transaction_id  TEXT NOT NULL REFERENCES payments,
    record          TEXT NOT NULL
  );
  CREATE INDEX events_by_payment ON events (transaction_id);

  CREATE TABLE jobs (
    job_id          INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    due_at          INTEGER NOT NULL,
    name            TEXT NOT NULL,
    transaction_id  TEXT NOT NULL REFERENCES payments,
    movement_id     TEXT
  );
  CREATE INDEX jobs_by_due_time ON jobs (organization_id, due_at);
  CREATE INDEX jobs_by_payment ON jobs (transaction_id);

  CREATE TABLE blik_codes (
    code_id         TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    code            TEXT NOT NULL,
    expires_at      INTEGER NOT NULL,
    transaction_id  TEXT REFERENCES payments
  ) WITHOUT ROWID;
  CREATE INDEX blik_codes_by_code ON blik_codes (organization_id, code, expires_at);

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
] as const
