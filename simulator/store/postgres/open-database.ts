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
    await migrate(migrator)
    return openPool(servers, onError, connections === undefined ? {} : { max: connections })
  } catch (error) {
    throw error instanceof StartError ? error : toPostgresStartError(error, url)
  } finally {
    await migrator.end()
  }
}
