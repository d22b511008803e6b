/** The steps of the schema that came after the first six, in their order. */
export const LATER_STEPS = [
  `
  CREATE TABLE phones (
    phone_id        TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    bank            TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX phones_by_organization ON phones (organization_id);
  ALTER TABLE blik_codes ADD COLUMN phone_id TEXT;
  ALTER TABLE mandates ADD COLUMN phone_id TEXT;
  CREATE INDEX mandates_by_phone ON mandates (phone_id) WHERE phone_id IS NOT NULL;
  `,
  `
  CREATE INDEX remembered_by_end ON remembered (organization_id, expires_at);
  CREATE INDEX blik_codes_by_end ON blik_codes (organization_id, expires_at);
  `,
  // Answers one behind the other: among random keys, each would be written to a page of its own.
  `
  CREATE TABLE remembered_in_order (
    position        INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    key             TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    http            INTEGER NOT NULL,
    body            TEXT NOT NULL,
    expires_at      INTEGER NOT NULL,
    UNIQUE (organization_id, key)
  );
  INSERT INTO remembered_in_order (organization_id, key, fingerprint, http, body, expires_at)
    SELECT organization_id, key, fingerprint, http, body, expires_at FROM remembered ORDER BY expires_at;
  DROP TABLE remembered;
  ALTER TABLE remembered_in_order RENAME TO remembered;
  CREATE INDEX remembered_by_end ON remembered (organization_id, expires_at);
  `,
  // Numbers that never come twice: who still holds a job that was done takes no other away by its number.
  `
  CREATE TABLE jobs_numbered (
    job_id          INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id TEXT NOT NULL REFERENCES organizations,
    due_at          INTEGER NOT NULL,
    name            TEXT NOT NULL,
    transaction_id  TEXT REFERENCES payments (transaction_id),
    movement_id     TEXT,
    call_key        TEXT,
    fingerprint     TEXT,
    call            TEXT
  );
  INSERT INTO jobs_numbered SELECT * FROM jobs;
  DROP TABLE jobs;
  ALTER TABLE jobs_numbered RENAME TO jobs;
  CREATE INDEX jobs_by_due_time ON jobs (organization_id, due_at);
  CREATE INDEX jobs_by_payment ON jobs (transaction_id);
  CREATE INDEX jobs_by_call_key ON jobs (organization_id, call_key) WHERE call_key IS NOT NULL;
  `,
  'CREATE INDEX organizations_in_order ON organizations (position)',
  // A hash in the place of the texts, in two indexes whose pages almost every call would change. Null is one to come.
  `
  CREATE TABLE remembered_by_hashes (
    position        INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    key             TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    http            INTEGER NOT NULL,
    body            TEXT NOT NULL,
    expires_at      INTEGER NOT NULL,
    hash            INTEGER
  );
  INSERT INTO remembered_by_hashes SELECT *, NULL FROM remembered ORDER BY position;
  DROP TABLE remembered;
  ALTER TABLE remembered_by_hashes RENAME TO remembered;
  CREATE INDEX remembered_by_end ON remembered (organization_id, expires_at);
  CREATE INDEX remembered_by_hash ON remembered (hash);
  ALTER TABLE payments ADD COLUMN hash INTEGER;
  DROP INDEX payments_by_reference;
  CREATE INDEX payments_by_reference ON payments (hash, created_at);
  `,
] as const
