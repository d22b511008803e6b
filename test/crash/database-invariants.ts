import Database from 'better-sqlite3'

/** SQL expression: start of the last 30 days of events; older messages may have been purged (D-109). */
const LATELY = `((SELECT MAX(record ->> 'at') FROM payment_events) - ${30 * 86_400_000})`

/** SQL list of the types of events that no webhook tells (D-116). */
const UNTOLD = ['settled', 'partially-settled', 'remainder-released', 'cancel-declined', 'refund-accepted']
  .map(type => `'payment.${type}'`)
  .join(', ')

/** Database invariants that always hold: SQL that selects violations, by sentence. */
const ALWAYS: Readonly<Record<string, string>> = {
  'money moved twice by one capture or refund':
    'SELECT capture_or_refund_id FROM ledger_entries GROUP BY kind, capture_or_refund_id HAVING COUNT(*) > 1',
  'a payment and its ledger entries tell other sums': `
    SELECT transaction_id FROM sums
    WHERE captured <> booked_captured OR settled <> booked_settled OR refunded <> booked_refunded`,
  'more was given back, settled or captured than there was':
    'SELECT transaction_id FROM sums WHERE refunded > settled OR settled > captured OR captured > amount',
  'a payment that awaits its shopper has no end of the window':
    "SELECT transaction_id FROM sums WHERE state = 'AWAITING_SHOPPER' AND windows <> 1",
  'a consent has no end': "SELECT transaction_id FROM sums WHERE state = 'AUTHENTICATED' AND consents <> 1",
  'an authorization has no end':
    "SELECT transaction_id FROM sums WHERE state IN ('AUTHORIZED', 'PARTIALLY_CAPTURED') AND holds <> 1",
  'a capture that is not settled has no settlement to come, or two':
    'SELECT transaction_id FROM sums WHERE unsettled <> settlements',
  'an event has no notification, or two': `
    SELECT transaction_id
    FROM (SELECT transaction_id, COUNT(*) AS happened FROM payment_events
      WHERE record ->> 'at' >= ${LATELY} AND record ->> 'type' NOT IN (${UNTOLD}) GROUP BY 1)
    LEFT JOIN (SELECT transaction_id, COUNT(*) AS sent FROM messages WHERE due_at >= ${LATELY} GROUP BY 1)
      USING (transaction_id)
    WHERE happened IS NOT sent`,
  'a notification goes to one endpoint twice': `
    SELECT message_id FROM messages JOIN deliveries USING (message_id) GROUP BY message_id HAVING COUNT(*) > 1`,
}

/** Database invariants that hold after a drain. */
const AT_REST: Readonly<Record<string, string>> = {
  'a notification has no delivery':
    'SELECT message_id FROM messages LEFT JOIN deliveries USING (message_id) WHERE delivery_id IS NULL',
  'a job was not done': 'SELECT name FROM jobs',
  // On a poor network all ten attempts may fail, and a stop may use up the 24 hours, to which the last pause adds 12 at most.
  'a delivery was not made': `
    SELECT delivery_id FROM deliveries WHERE state <> 'delivered' AND NOT (state = 'dropped' AND (attempt_count = 10
      OR (SELECT MAX(record ->> 'at') - MIN(record ->> 'at') FROM delivery_attempts
        WHERE delivery_attempts.delivery_id = deliveries.delivery_id) > ${12 * 3_600_000}))`,
  'a payment is still under way': `
    SELECT transaction_id FROM sums WHERE state IN ('AWAITING_SHOPPER', 'AUTHORIZED', 'PARTIALLY_CAPTURED', 'CAPTURED')`,
}

/** Payments with their sums beside those of the books, and what the clock has in store for them. */
const SUMS = `
  CREATE TEMP VIEW sums AS
  SELECT transaction_id, record ->> 'state' AS state, amount, record ->> 'captured' AS captured,
    record ->> 'settled' AS settled, record ->> 'refunded' AS refunded,
    (SELECT COUNT(*) FROM json_each(record, '$.captures') WHERE NOT value ->> 'settled') AS unsettled,
    COALESCE(booked_captured, 0) AS booked_captured, COALESCE(booked_settled, 0) AS booked_settled,
    COALESCE(booked_refunded, 0) AS booked_refunded,
    COALESCE(windows, 0) AS windows, COALESCE(consents, 0) AS consents, COALESCE(holds, 0) AS holds, COALESCE(settlements, 0) AS settlements
  FROM payments
  LEFT JOIN (SELECT transaction_id, SUM(amount * (kind = 'capture')) AS booked_captured,
    SUM(amount * (kind = 'settlement')) AS booked_settled, SUM(amount * (kind = 'refund')) AS booked_refunded
    FROM ledger_entries GROUP BY transaction_id) USING (transaction_id)
  LEFT JOIN (SELECT transaction_id, SUM(name = 'shopper-window') AS windows, SUM(name = 'consent') AS consents,
    SUM(name = 'hold') AS holds,
    SUM(name = 'settlement') AS settlements FROM jobs GROUP BY transaction_id) USING (transaction_id)`

/**
 * Returns the violated invariants of a closed SQLite database, as sentences; `atRest` adds those that hold after a
 * drain.
 */
export const databaseViolations = (file: string, atRest = false): string[] => {
  const database = new Database(file)
  try {
    const [integrity, ...more] = database.pragma('integrity_check') as { integrity_check: string }[]
    const sound = integrity?.integrity_check === 'ok' && more.length === 0
    database.exec(SUMS)
    const broken = Object.entries(atRest ? { ...ALWAYS, ...AT_REST } : ALWAYS).flatMap(([rule, text]) => {
      const rows = database.prepare(text).pluck().all()
      return rows.length === 0 ? [] : [`${rule}: ${rows.length}, such as ${rows[0]}`]
    })
    return sound ? broken : [`the integrity check says ${integrity?.integrity_check}`, ...broken]
  } finally {
    database.close()
  }
}

/** Reads the ids of all notifications and payments from a crash test's database file. */
export const readNotificationsAndPayments = (file: string) => {
  const database = new Database(file, { readonly: true })
  try {
    const all = (text: string) => database.prepare(text).pluck().all() as string[]
    return {
      notifications: all('SELECT notification_id FROM messages'),
      payments: all('SELECT transaction_id FROM payments'),
    }
  } finally {
    database.close()
  }
}
