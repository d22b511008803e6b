/** SQL of the PostgreSQL tables for webhook endpoints, messages, deliveries, attempts and delivery plans. */
export const WEBHOOK_TABLES = `
  CREATE TABLE webhook_endpoints (
    position        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id     TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX webhook_endpoints_by_organization ON webhook_endpoints (organization_id, position);

  CREATE TABLE messages (
    position              BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id            TEXT NOT NULL UNIQUE,
    organization_id       TEXT NOT NULL,
    notification_id       TEXT NOT NULL,
    type                  TEXT NOT NULL,
    transaction_id        TEXT NOT NULL,
    client_transaction_id TEXT NOT NULL,
    body                  TEXT NOT NULL,
    due_at                BIGINT NOT NULL,
    variation             TEXT NOT NULL,
    is_from_plan          BIGINT NOT NULL,
    in_inbox              BIGINT NOT NULL
  );
  CREATE INDEX messages_by_due_time ON messages (organization_id, due_at, position);
  CREATE INDEX messages_by_payment ON messages (organization_id, transaction_id, due_at, position);
  CREATE INDEX messages_by_client_transaction_id
    ON messages (organization_id, client_transaction_id, due_at, position);

  CREATE TABLE deliveries (
    position        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id     TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    endpoint_id     TEXT NOT NULL,
    message_id      TEXT NOT NULL,
    first_due_at    BIGINT NOT NULL,
    due_at          BIGINT,
    attempt_count   BIGINT NOT NULL,
    state           TEXT NOT NULL,
    claimed_by      TEXT
  );
  CREATE INDEX deliveries_by_due_time ON deliveries (organization_id, due_at, position) WHERE due_at IS NOT NULL;
  CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, due_at, position);
  CREATE INDEX deliveries_by_message ON deliveries (message_id);
  CREATE INDEX deliveries_by_organization ON deliveries (organization_id, position);
  CREATE INDEX deliveries_by_claim ON deliveries (endpoint_id) WHERE claimed_by IS NOT NULL;

  CREATE TABLE delivery_attempts (
    position        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id TEXT NOT NULL,
    delivery_id     TEXT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_id, position);
  CREATE INDEX delivery_attempts_by_organization ON delivery_attempts (organization_id);

  CREATE TABLE delivery_plans (
    position        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    plan_id         TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    remaining_uses  BIGINT NOT NULL,
    record          TEXT NOT NULL
  );
  CREATE INDEX delivery_plans_by_organization ON delivery_plans (organization_id, position);
`
