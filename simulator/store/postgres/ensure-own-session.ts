import sql from 'sql-template-tag'
import { StartError } from '../../support/start-error.ts'
import { type Db, POOL_NAME } from './pool.ts'

type Session = { name: string; schema: string | null; wanted: string | null }

const POOLER = 'as a pooler may: connect to PostgreSQL itself, or let the pooler pass it on'

/** Throws StartError where a session does not have what --store asks for: a pooler may ignore it without a word. No schema at all is another error. */
export const ensureOwnSession = async (db: Db, url: string): Promise<void> => {
  const path = searchPathIn(url)
  const [session] = await db.rows<Session>(sql`
    SELECT current_setting('application_name') AS name, current_schema() AS schema,
      (SELECT nspname FROM pg_namespace WHERE nspname = ${path ?? ''}) AS wanted`)
  if (session?.name !== POOL_NAME)
    throw new StartError(`The database ignores application_name, by which replicas know each other, ${POOLER}.`)
  if (session.wanted !== null && session.schema !== null && session.schema !== session.wanted)
    throw new StartError(
      `The database ignores search_path=${path} of --store and would use the schema ${session.schema}, ${POOLER}.`,
    )
}

/** The first schema of the search_path in the address; undefined where it names none. */
const searchPathIn = (url: string): string | undefined => {
  const options = URL.parse(url)?.searchParams.get('options') ?? ''
  return /search_path=("?)([\w$]+)\1/.exec(options)?.[2]
}
