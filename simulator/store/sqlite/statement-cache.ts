import type { Database, Statement } from 'better-sqlite3'
import type { Db } from '../sql-statements.ts'

/** Creates a cache of prepared SQLite statements for SQL texts that are composed at run time. */
export const createStatementCache = <Parameters extends unknown[], Row>(database: Database) => {
  const prepared = new Map<string, Statement<Parameters, Row>>()
  return (text: string): Statement<Parameters, Row> => {
    const known = prepared.get(text) ?? database.prepare<Parameters, Row>(text)
    prepared.set(text, known)
    return known
  }
}

/** Creates a runner of SQL statements on SQLite: each is done when its promise is there, in no transaction of its own. */
export const createDb = (database: Database): Db => {
  const prepare = createStatementCache<unknown[], unknown>(database)
  return {
    rows: async <Row>({ sql, values }: Parameters<Db['rows']>[0]) => prepare(sql).all(...values) as Row[],
    run: async ({ sql, values }) => prepare(sql).run(...values).changes,
  }
}
