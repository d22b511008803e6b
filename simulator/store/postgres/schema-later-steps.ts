/** The steps of the schema behind the first: notifications with all that they need, then what replicas share. */
export const LATER_STEPS: readonly string[] = [
  `
  CREATE TABLE endpoints (
    position        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id     TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX endpoints_by_organization ON endpoints (organization_id, position);

  CREATE TABLE notifications (
    position              BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sending_id            TEXT NOT NULL UNIQUE,
    organization_id       TEXT NOT NULL,
    notification_id       TEXT NOT NULL,
    type                  TEXT NOT NULL,
    transaction_id        TEXT NOT NULL,
    client_transaction_id TEXT NOT NULL,
    body                  TEXT NOT NULL,
    due_at                BIGINT NOT NULL,
    variant               TEXT NOT NULL,
    in_inbox              BIGINT NOT NULL
  );
  CREATE INDEX notifications_by_time ON notifications (organization_id, due_at, position);
  CREATE INDEX notifications_by_payment ON notifications (organization_id, transaction_id, due_at, position);

  CREATE TABLE deliveries (
    position        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id     TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    endpoint_id     TEXT NOT NULL,
    sending_id      TEXT NOT NULL,
    first_due_at    BIGINT NOT NULL,
    due_at          BIGINT,
    tries           BIGINT NOT NULL,
    state           TEXT NOT NULL
  );
  CREATE INDEX deliveries_by_due_time ON deliveries (organization_id, due_at, position) WHERE due_at IS NOT NULL;
  CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, due_at, position);
  CREATE INDEX deliveries_by_sending ON deliveries (sending_id);
  CREATE INDEX deliveries_by_age ON deliveries (organization_id, position);

  CREATE TABLE attempts (
    position        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id TEXT NOT NULL,
    delivery_id     TEXT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX attempts_by_delivery ON attempts (delivery_id, position);
  CREATE INDEX attempts_by_organization ON attempts (organization_id);

  CREATE TABLE delivery_plans (
    position        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    plan_id         TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    remaining       BIGINT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX delivery_plans_by_organization ON delivery_plans (organization_id, position);

  CREATE TABLE deeds (
    position        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id TEXT NOT NULL,
    transaction_id  TEXT,
    until           BIGINT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX deeds_by_payment ON deeds (organization_id, transaction_id, until);
  `,
  `
  CREATE INDEX remembered_by_end ON remembered (organization_id, expires_at);
  CREATE INDEX blik_codes_by_end ON blik_codes (organization_id, expires_at);
  ALTER TABLE deliveries ADD COLUMN claimed_by TEXT;
  CREATE INDEX deliveries_claimed ON deliveries (endpoint_id) WHERE claimed_by IS NOT NULL;

  CREATE UNLOGGED TABLE calls (
    place   BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    replica TEXT NOT NULL,
    entry   TEXT NOT NULL,
    sent    BYTEA
  );

  CREATE UNLOGGED TABLE spent (
    organization_id TEXT PRIMARY KEY,
    calls           DOUBLE PRECISION NOT NULL,
    asked           DOUBLE PRECISION NOT NULL,
    at              BIGINT NOT NULL
  );
  `,
  `
  CREATE INDEX notifications_by_reference ON notifications (organization_id, client_transaction_id, due_at, position);
  CREATE INDEX mandates_by_age ON mandates (organization_id, mandate_id);
  CREATE INDEX mandates_by_end ON mandates (organization_id, LEAST(expires_at, revoked_at));
  `,
  'CREATE INDEX organizations_in_order ON organizations (position)',
]
