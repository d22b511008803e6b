import sql, { raw } from 'sql-template-tag'
import { pause, stopwatch } from '../../support/clock.ts'
import { MINUTE, SECOND } from '../../support/duration.ts'
import { StartError } from '../../support/start-error.ts'
import type { Db } from '../sql-statements.ts'
import { errorCodeOf } from './database-errors.ts'
import { tryAdvisoryLock, unlockAdvisoryLock } from './locks.ts'
import { BEGIN, type Pool } from './pool.ts'
import { type ConcurrentIndex, MIGRATIONS, type Migration } from './schema-migrations.ts'

/** Time that a statement of a migration waits for a lock: calls of running replicas queue behind it (D-114). */
const LOCK_TIMEOUT_MS = SECOND
/** How long a migration is tried again that got no lock. */
const LOCK_PATIENCE_MS = 5 * MINUTE
const RETRY_PAUSE_MS = 200
const NO_LOCK = '55P03'

/**
 * Migrates the PostgreSQL schema, one replica after the other and while replicas of the version before serve calls: a
 * migration that does not get its locks is rolled back and tried again. Throws StartError for a schema that is newer.
 */
export const migrate = (pool: Pool, migrations = MIGRATIONS): Promise<void> =>
  pool.with(async db => {
    // Asked for again and again: a statement that waits would hold up an index that is built concurrently.
    while (!(await tryAdvisoryLock(db, MIGRATIONS_LOCK))) await pause(RETRY_PAUSE_MS)
    try {
      await refuseUnreleased(db)
      const applied = await countApplied(db)
      if (applied > migrations.length)
        throw new StartError('The database was written by a newer Assay: use that version or another --store.')
      if (applied === 0) await applyTogether(db, migrations)
      else for (const [at, migration] of migrations.entries()) if (at >= applied) await apply(db, at, migration)
    } finally {
      await unlockAdvisoryLock(db, MIGRATIONS_LOCK)
    }
  })
const MIGRATIONS_LOCK = 'migrations'

const countApplied = async (db: Db): Promise<number> => {
  if (!(await hasTable(db, 'assay_migrations'))) return 0
  const [row] = await db.rows<{ applied: number }>(sql`SELECT count(*) AS applied FROM assay_migrations`)
  return row?.applied ?? 0
}

/** Applies all migrations to an empty schema in one transaction; where another program has a name of ours, nothing is left. */
const applyTogether = (db: Db, migrations: readonly Migration[]): Promise<void> =>
  inTransaction(db, [
    'CREATE TABLE IF NOT EXISTS assay_migrations (version BIGINT PRIMARY KEY)',
    ...migrations.flatMap(migration =>
      typeof migration === 'string' ? statementsOf(migration) : createIndex(migration, ''),
    ),
    ...migrations.map((_, at) => markApplied(at)),
  ])

const apply = async (db: Db, at: number, migration: Migration): Promise<void> => {
  if (typeof migration === 'string') return inTransaction(db, [...statementsOf(migration), markApplied(at)])
  await db.run(raw(`DROP INDEX CONCURRENTLY IF EXISTS ${migration.index}`)) // an earlier attempt may have left it invalid
  await db.run(raw(createIndex(migration, 'CONCURRENTLY')))
  await db.run(raw(markApplied(at)))
}

const statementsOf = (migration: string): string[] => migration.split(/;\s*\n/).filter(text => text.trim() !== '')
const createIndex = ({ index, on }: ConcurrentIndex, how: string) => `CREATE INDEX ${how} ${index} ON ${on}`
const markApplied = (at: number) => `INSERT INTO assay_migrations VALUES (${at + 1})`

/** Runs statements in a transaction, again where it does not get a lock in time. */
const inTransaction = async (db: Db, statements: readonly string[]): Promise<void> => {
  const elapsed = stopwatch()
  for (;;)
    try {
      await db.run(BEGIN)
      await db.run(raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`))
      await Promise.all(statements.map(statement => db.run(raw(statement))))
      await db.run(sql`COMMIT`)
      return
    } catch (error) {
      await db.run(sql`ROLLBACK`)
      if (errorCodeOf(error) !== NO_LOCK || elapsed() > LOCK_PATIENCE_MS) throw error
      await pause(RETRY_PAUSE_MS)
    }
}

/** Throws StartError if the schema has the migration table of builds before the first release. */
const refuseUnreleased = async (db: Db): Promise<void> => {
  if (await hasTable(db, 'assay_schema'))
    throw new StartError(
      'The database was written by an Assay from before its first release: drop its tables, or choose another --store.',
    )
}

const hasTable = async (db: Db, name: string): Promise<boolean> =>
  (await db.run(sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ${name}`)) > 0
