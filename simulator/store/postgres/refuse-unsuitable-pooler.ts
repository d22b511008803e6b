import sql from 'sql-template-tag'
import { serverAddresses } from '../../support/postgres-server-addresses.ts'
import { StartError } from '../../support/start-error.ts'
import type { Db } from '../sql-statements.ts'
import type { Pool } from './pool.ts'
import { POOL_NAME } from './pool.ts'

type Session = { name: string; schema: string | null; wanted: string | null }

const POOLER = 'as a pooler may: connect to PostgreSQL itself, or let the pooler pass it on'

/**
 * Throws StartError where a pooler before PostgreSQL ignores the settings of --store, or lends a session for single
 * transactions only. A schema that does not exist at all is another error.
 */
export const ensureOwnSession = (pool: Pool, url: string): Promise<void> =>
  pool.with(async db => {
    const path = searchPathIn(url)
    const [session] = await db.rows<Session>(sql`
      SELECT current_setting('application_name') AS name, current_schema() AS schema,
        (SELECT nspname FROM pg_namespace WHERE nspname = ${path ?? ''}) AS wanted`)
    if (session?.name !== POOL_NAME)
      throw new StartError(`The database ignores application_name, by which replicas know each other, ${POOLER}.`)
    if (session.wanted === null && session.schema !== null && path !== undefined && path !== '$user')
      throw Object.assign(new Error(`There is no schema ${path}.`), { code: '3F000' })
    if (session.wanted !== null && session.schema !== null && session.schema !== session.wanted)
      throw new StartError(
        `The database ignores search_path=${path} of --store and would use the schema ${session.schema}, ${POOLER}.`,
      )
    await refuseLentSessions(db, pool)
  })

/** Throws StartError where two connections have one session at PostgreSQL, or one has two: locks and LISTEN are lost between transactions. */
const refuseLentSessions = (one: Db, pool: Pool): Promise<void> =>
  pool.with(async other => {
    const [first, second, again] = [await processOf(one), await processOf(other), await processOf(one)]
    if (first === second || first !== again)
      throw new StartError(
        'The database is behind a pooler that lends a session for one transaction: use its session mode, or connect to PostgreSQL itself.',
      )
  })

const processOf = async (db: Db): Promise<number | undefined> =>
  (await db.rows<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`))[0]?.pid

/** The first schema of the search_path in the address, as PostgreSQL reads it; undefined where it names none. */
const searchPathIn = (url: string): string | undefined => {
  const options = URL.parse(serverAddresses(url)[0] ?? '')?.searchParams.get('options') ?? ''
  const [, quoted, plain] = /search_path=(?:"([^"]+)"|([^\s,"]+))/.exec(options) ?? []
  return quoted?.replaceAll('\\ ', ' ') ?? plain?.toLowerCase()
}
