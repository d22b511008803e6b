import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../sql-statements.ts'
import type { Element } from './binary-arrays.ts'
import { columnOf } from './insert-rows.ts'
import { unescapeNul } from './nul-escaping.ts'

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
    answerEach(waiting, db.rows<JoinedRow>(joined(waiting)).then(firstRow))
  }) as Db['rows'],
})

/**
 * Returns the function that gives each of several units of work a Db. The SELECTs that a unit issues at once are one,
 * and those of all units that have the same text are one statement of PostgreSQL, which runs it for each unit's values:
 * what PostgreSQL and its driver spend on a statement is spent once.
 */
export const readForUnits = (db: Db): (() => Db) => {
  const ofAllUnits = gather<JoinedRow>(waiting => {
    for (const same of Map.groupBy(waiting, ({ statement }) => statement.text).values()) {
      const [first, ...others] = same
      if (!first) continue
      if (others.length === 0) db.rows<JoinedRow>(first.statement).then(firstRow).then(first.resolve, first.reject)
      else
        db.rows<JoinedRow>(forEachValues(same.map(({ statement }) => statement))).then(
          rows => {
            for (const [at, { resolve }] of same.entries()) resolve(rows[at] as JoinedRow)
          },
          error => {
            for (const { reject } of same) reject(error)
          },
        )
    }
  })
  return () => ({
    ...db,
    rows: gather<never[]>(waiting => answerEach(waiting, ofAllUnits(joined(waiting)))) as Db['rows'],
  })
}

/** The row of joined SELECTs: a column with the rows of each, null where there are none. */
type JoinedRow = Record<string, Row[] | null>
const firstRow = ([row]: JoinedRow[]): JoinedRow => row ?? {}

const joined = (waiting: readonly Waiting<never[]>[]): Sql =>
  sql`SELECT ${join(
    waiting.map(({ statement }, at) => sql`(SELECT json_agg(r) FROM (${statement}) AS r) AS ${raw(`q${at}`)}`),
  )}`

const answerEach = (waiting: readonly Waiting<never[]>[], found: Promise<JoinedRow>): void => {
  found.then(
    row => {
      for (const [at, { resolve }] of waiting.entries()) resolve((row[`q${at}`] ?? []).map(unescapeRow) as never[])
    },
    error => {
      for (const { reject } of waiting) reject(error)
    },
  )
}

/** Returns the statement that runs one SELECT for each set of its values, in their order. */
const forEachValues = (statements: readonly Sql[]): Sql => {
  const [{ strings, values } = sql``] = statements
  const arrays = values.map((_, at) => {
    const column = statements.map(statement => statement.values[at] as Element)
    return columnOf(column.some(value => typeof value === 'number') ? 'bigint' : 'text', column)
  })
  const names = values.map((_, at) => `p${at}`)
  const one = strings.map((text, at) => `${text}${at < names.length ? `u.p${at}` : ''}`).join('')
  return sql`
    SELECT one.* FROM unnest(${join(arrays)}) WITH ORDINALITY AS u (${raw([...names, 'nth'].join(', '))}),
      LATERAL (${raw(one)}) AS one ORDER BY nth`
}

/** Restores NUL in a row that came as JSON, past the parsers of the driver. */
const unescapeRow = (row: Row): Row => {
  for (const [name, value] of Object.entries(row)) if (typeof value === 'string') row[name] = unescapeNul(value)
  return row
}

/**
 * Joins changes to one statement of PostgreSQL. They see the rows as they were before it, so no two of them may change
 * one row, and those that insert into one table do so in any order.
 */
export const joinChanges = (changes: readonly Sql[]): Sql[] => {
  if (changes.length < 2) return [...changes]
  const named = changes.map((change, at) => sql`${raw(`w${at}`)} AS (${change})`)
  return [sql`WITH ${join(named)} SELECT`]
}
