import Database from 'better-sqlite3'

/** Opens the minimal server's database of one table, with the settings of Assay's own; returns its prepared insert. */
export const prepareInsert = (file: string) => {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.exec('CREATE TABLE IF NOT EXISTS payment (id TEXT PRIMARY KEY, idempotency_key TEXT, body TEXT) STRICT')
  const insert = database.prepare('INSERT INTO payment VALUES (?, ?, ?)')
  return (id: string, key: string, body: string) => insert.run(id, key, body)
}
