import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../../test/support/postgres-server.ts'
import { usageOf } from './process-usage.ts'
import type { KeepServer, Server } from './start-servers.ts'

type OwnPostgres = PostgresServer & {
  cpuMs(): number
  /** Flushes of the log to the disk since the start. */
  flushes(): Promise<number>
}

/**
 * Runs a measurement over a PostgreSQL with default settings, but for those given; stops the servers first, then
 * PostgreSQL.
 */
export const measureOverPostgres = async <Figures>(
  measure: (postgres: OwnPostgres, keep: KeepServer) => Promise<Figures>,
  settings = '',
): Promise<Figures> => {
  const postgres = await startPostgres(`-c max_connections=200 ${settings}`)
  if (!postgres)
    throw new Error('there is no PostgreSQL on this machine: install the package postgresql, or put it on the path')
  const pid = () => Number(readFileSync(join(postgres.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const servers: Server[] = []
  const keep: KeepServer = server => {
    servers.push(server)
    return server
  }
  try {
    return await measure(
      { ...postgres, cpuMs: () => usageOf(pid()).cpuMs, flushes: () => countFlushes(postgres.url) },
      keep,
    )
  } finally {
    await Promise.all(servers.map(server => server.stop()))
    postgres.remove()
  }
}

const countFlushes = async (url: string): Promise<number> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query('SELECT wal_sync FROM pg_stat_wal')
    return Number(rows[0].wal_sync)
  } finally {
    await client.end()
  }
}
