import type { Database, Statement } from 'better-sqlite3'

/** Creates a cache of prepared SQLite statements for SQL texts that are composed at run time. */
export const createStatementCache = <Parameters extends unknown[], Row>(database: Database) => {
  const prepared = new Map<string, Statement<Parameters, Row>>()
  return (text: string): Statement<Parameters, Row> => {
    const known = prepared.get(text) ?? database.prepare<Parameters, Row>(text)
    prepared.set(text, known)
    return known
  }
}
