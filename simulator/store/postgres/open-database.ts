import sql from 'sql-template-tag'
import { StartError } from '../../support/start-error.ts'
import { toPostgresStartError } from './database-errors.ts'
import { migrate } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'
import { ensureOwnSession } from './refuse-unsuitable-pooler.ts'
import { createServers } from './servers.ts'

/**
 * Opens a pool of at most so many connections to PostgreSQL at `postgres://…`, and migrates the schema. Throws
 * StartError with one sentence for people.
 */
export const openDatabase = async (
  url: string,
  onError: (error: unknown) => void,
  connections?: number,
): Promise<Pool> => {
  const servers = createServers(url)
  const migrator = openPool(servers, onError, { max: 2, statement_timeout: 0, query_timeout: 0 }) // migrations may be slow
  try {
    await ensureOwnSession(migrator, url)
    await refuseOtherEncoding(migrator)
    await migrate(migrator)
    return openPool(servers, onError, connections === undefined ? {} : { max: connections })
  } catch (error) {
    throw error instanceof StartError ? error : toPostgresStartError(error, url)
  } finally {
    await migrator.end()
  }
}

/** Throws StartError unless the database is in UTF8, as payments have Polish and Greek texts. */
const refuseOtherEncoding = async (pool: Pool): Promise<void> => {
  const [row] = await pool.rows<{ encoding: string }>(sql`SELECT current_setting('server_encoding') AS encoding`)
  if (row?.encoding !== 'UTF8')
    throw new StartError(
      `The database has the encoding ${row?.encoding}: create one with ENCODING 'UTF8' TEMPLATE template0, and name it in --store.`,
    )
}
