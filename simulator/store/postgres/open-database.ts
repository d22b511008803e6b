import sql, { raw } from 'sql-template-tag'
import { StartError } from '../../support/start-error.ts'
import { toPostgresStartError } from './database-errors.ts'
import { ensureOwnSession } from './ensure-own-session.ts'
import { type Db, openPool, type Pool } from './pool.ts'
import { MIGRATIONS } from './schema-migrations.ts'

/** Key of the advisory lock that serialises migrations of replicas. */
const SCHEMA_LOCK = 7_200_500

/** Connects to `postgres://…` and migrates the schema. Throws StartError with one sentence for people. */
export const openDatabase = async (url: string, onError: (error: unknown) => void): Promise<Pool> => {
  const migrator = openPool(url, onError, { max: 1, statement_timeout: 0, query_timeout: 0 }) // migrations may be slow
  try {
    await migrator.with(db => ensureOwnSession(db, url))
    await migrate(migrator)
    return openPool(url, onError)
  } catch (error) {
    throw error instanceof StartError ? error : toPostgresStartError(error, url)
  } finally {
    await migrator.end()
  }
}

const migrate = (pool: Pool): Promise<void> =>
  pool.begin(async db => {
    await db.run(sql`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK}::bigint)`)
    await refuseUnreleased(db)
    await db.run(sql`CREATE TABLE IF NOT EXISTS assay_migrations (version BIGINT PRIMARY KEY)`)
    const [{ applied } = { applied: 0 }] = await db.rows<{ applied: number }>(sql`
      SELECT count(*) AS applied FROM assay_migrations`)
    if (applied > MIGRATIONS.length)
      throw new StartError('The database was written by a newer Assay: use that version or another --store.')
    for (const [at, statements] of MIGRATIONS.entries()) {
      if (at < applied) continue
      const texts = statements.split(/;\s*\n/).filter(text => text.trim() !== '')
      await Promise.all([
        ...texts.map(text => db.run(raw(text))),
        db.run(sql`INSERT INTO assay_migrations VALUES (${at + 1})`),
      ])
    }
  })

/** Throws StartError if the schema has the migration table of builds before the first release. */
const refuseUnreleased = async (db: Db): Promise<void> => {
  const known = await db.run(sql`
    SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'assay_schema'`)
  if (known > 0)
    throw new StartError(
      'The database was written by an Assay from before its first release: drop its tables, or choose another --store.',
    )
}
