import sql, { join, type RawValue, type Sql } from 'sql-template-tag'

/** A runner of SQL statements on SQLite or PostgreSQL. */
export type Db = {
  rows<Row>(statement: Sql): Promise<Row[]>
  /** Number of rows affected. */
  run(statement: Sql): Promise<number>
}

type Tag<Result> = (strings: readonly string[], ...values: readonly RawValue[]) => Promise<Result>

type SqlTags = {
  /** Lists what the rows hold. */
  list<Row, Result>(read: (row: Row) => Result): Tag<Result[]>
  /** Returns what the first row holds, undefined where there is none. */
  find<Row extends object, Result>(read: (row: Row) => Result): Tag<Result | undefined>
  run: Tag<void>
  /** Returns the number of rows affected. */
  count: Tag<number>
}

/** Creates tags of template literals, each of which runs the SQL statement that it is written before. */
export const createSqlTags = (db: Db): SqlTags => ({
  list:
    read =>
    async (...statement) =>
      (await db.rows<Parameters<typeof read>[0]>(sql(...statement))).map(row => read(row)),
  find:
    read =>
    async (...statement) => {
      const [row] = await db.rows<Parameters<typeof read>[0]>(sql(...statement))
      return row && read(row)
    },
  run: async (...statement) => void (await db.run(sql(...statement))),
  count: (...statement) => db.run(sql(...statement)),
})

/**
 * Joins the SQL conditions that apply to a query by AND. Conditions that do not apply are left out rather than written as
 * "parameter is null or equal", for which no index can be used.
 */
export const allOf = (...conditions: readonly (Sql | false)[]): Sql =>
  join(
    conditions.filter(condition => condition !== false),
    ' AND ',
  )
