import sql, { join, raw, type Sql } from 'sql-template-tag'
import { unescapeNul } from './nul-escaping.ts'
import type { Db } from './pool.ts'

type Waiting<Result> = { statement: Sql; resolve(result: Result): void; reject(error: unknown): void }

/** Gathers statements that are issued before the next microtask, and gives them to `send` together. */
const gather = <Result>(send: (waiting: readonly Waiting<Result>[]) => void) => {
  let waiting: Waiting<Result>[] = []
  const flush = (): void => {
    const together = waiting
    waiting = []
    send(together)
  }
  return (statement: Sql): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (waiting.push({ statement, resolve, reject }) === 1) queueMicrotask(flush)
    })
}

type Row = Record<string, unknown>

/**
 * Wraps a Db so that SELECTs that are issued at once are one statement of PostgreSQL: one plan, one snapshot, one
 * message.
 */
export const readTogether = (db: Db): Db => ({
  ...db,
  rows: gather<never[]>(waiting => {
    const [first, ...others] = waiting
    if (!first) return
    if (others.length === 0) return void db.rows<never>(first.statement).then(first.resolve, first.reject)
    const columns = waiting.map(
      ({ statement }, at) => sql`(SELECT json_agg(r) FROM (${statement}) AS r) AS ${raw(`q${at}`)}`,
    )
    db.rows<Record<string, Row[] | null>>(sql`SELECT ${join(columns)}`).then(
      ([found]) => {
        for (const [at, { resolve }] of waiting.entries())
          resolve((found?.[`q${at}`] ?? []).map(unescapeRow) as never[])
      },
      error => {
        for (const { reject } of waiting) reject(error)
      },
    )
  }) as Db['rows'],
})

/** Restores NUL in a row that came as JSON, past the parsers of the driver. */
const unescapeRow = (row: Row): Row => {
  for (const [name, value] of Object.entries(row)) if (typeof value === 'string') row[name] = unescapeNul(value)
  return row
}

/**
 * Wraps a Db so that changes that are issued at once are one statement of PostgreSQL. They see the rows as they were
 * before it, so no two of them may change one row, and those that insert into one table do so in any order; the number
 * of rows that each changed is not known.
 */
export const writeTogether = (db: Db): Db => ({
  ...db,
  run: gather<number>(waiting => {
    const [first, ...others] = waiting
    if (!first) return
    const named = waiting.map(({ statement }, at) => sql`${raw(`w${at}`)} AS (${statement})`)
    const sent = db.run(others.length === 0 ? first.statement : sql`WITH ${join(named)} SELECT`)
    sent.then(
      () => {
        for (const { resolve } of waiting) resolve(0)
      },
      error => {
        for (const { reject } of waiting) reject(error)
      },
    )
  }),
})
