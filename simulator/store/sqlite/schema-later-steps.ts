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
] as const
