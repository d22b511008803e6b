/** SQL of the SQLite tables for webhook endpoints, messages, deliveries, attempts and delivery plans. */
export const WEBHOOK_TABLES = `
  CREATE TABLE webhook_endpoints (
    position        INTEGER PRIMARY KEY,
    endpoint_id     TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organizations,
    record          TEXT NOT NULL
  );
  CREATE INDEX webhook_endpoints_by_organization ON webhook_endpoints (organization_id);

  CREATE TABLE messages (
    position              INTEGER PRIMARY KEY,
    message_id            TEXT NOT NULL UNIQUE,
    organization_id       TEXT NOT NULL REFERENCES organizations,
    notification_id       TEXT NOT NULL,
    type                  TEXT NOT NULL,
    transaction_id        TEXT NOT NULL,
    client_transaction_id TEXT NOT NULL,
    body                  TEXT NOT NULL,
    due_at                INTEGER NOT NULL,
    variation             TEXT NOT NULL,
    is_from_plan          INTEGER NOT NULL,
    in_inbox              INTEGER NOT NULL
  );
  CREATE INDEX messages_by_due_time ON messages (organization_id, due_at);
  CREATE INDEX messages_by_payment ON messages (organization_id, transaction_id, due_at);

  CREATE TABLE deliveries (
    position        INTEGER PRIMARY KEY,
    delivery_id     TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organizations,
    endpoint_id     TEXT NOT NULL,
    message_id      TEXT NOT NULL,
    first_due_at    INTEGER NOT NULL,
    due_at          INTEGER,
    attempt_count   INTEGER NOT NULL,
    state           TEXT NOT NULL
  );
  CREATE INDEX deliveries_by_due_time ON deliveries (organization_id, due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, due_at);
  CREATE INDEX deliveries_by_message ON deliveries (message_id);

  CREATE TABLE delivery_attempts (
    position        INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations,
    delivery_id     TEXT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_id);
  CREATE INDEX delivery_attempts_by_organization ON delivery_attempts (organization_id);

  CREATE TABLE delivery_plans (
    position        INTEGER PRIMARY KEY,
    plan_id         TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organizations,
    remaining_uses  INTEGER NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX delivery_plans_by_organization ON delivery_plans (organization_id);
`
