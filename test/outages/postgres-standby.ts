import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { findFreePort } from '../support/free-port.ts'
import { findPostgresPrograms, type PostgresServer, postgresUser } from '../support/postgres-server.ts'

/** A streaming standby of PostgreSQL; `holdBack` stops replication. */
type PostgresStandby = { port: number; holdBack(): void; promote(): void; remove(): void }

/**
 * Starts a synchronous streaming standby of PostgreSQL for outage tests: the primary confirms a commit only when the
 * standby has it.
 */
export const startPostgresStandby = async (primary: PostgresServer): Promise<PostgresStandby> => {
  const programs = findPostgresPrograms() ?? ''
  const [port, data] = [await findFreePort(), join(primary.folder, 'standby')]
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(programs, program), args, { stdio: 'ignore', cwd: primary.folder, ...postgresUser() })
  run(
    'pg_basebackup',
    '-h',
    '127.0.0.1',
    '-p',
    String(primary.port),
    '-U',
    'assay',
    '-D',
    data,
    '-R',
    '-c',
    'fast',
    '-N',
  )
  const settings = `-p ${port} -k ${primary.folder} -c listen_addresses=127.0.0.1 -c max_connections=100 -c fsync=off`
  run('pg_ctl', 'start', '-D', data, '-w', '-l', join(primary.folder, 'standby.log'), '-o', settings)
  const client = new pg.Client(primary.url)
  await client.connect()
  await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await client.query('SELECT pg_reload_conf()')
  const sender = await inStep(client)
  await client.end()
  return {
    port,
    holdBack: () => process.kill(sender, 'SIGSTOP'),
    promote: () => {
      run('pg_ctl', 'promote', '-D', data, '-w')
      // Nobody copies from it, so it waits for nobody.
      const psql = ['-h', '127.0.0.1', '-p', String(port), '-U', 'assay', '-d', 'postgres', '-c']
      run('psql', ...psql, 'ALTER SYSTEM RESET synchronous_standby_names')
      run('pg_ctl', 'reload', '-D', data)
    },
    remove: () => run('pg_ctl', 'stop', '-D', data, '-w', '-m', 'immediate'),
  }
}

/** Process id of the WAL sender, once replication is synchronous. */
const inStep = async (client: pg.Client): Promise<number> => {
  for (;;) {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_replication WHERE sync_state = 'sync'`,
    )
    if (rows[0]) return rows[0].pid
  }
}
