import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'

export type PostgresServer = {
  url: string
  port: number
  folder: string
  start(): void
  stop(how?: 'fast' | 'immediate'): void
  remove(): void
}

/** Starts a PostgreSQL server for tests on a free port in a temporary folder; undefined where none is installed. */
export const startPostgres = async (more = '-c fsync=off'): Promise<PostgresServer | undefined> => {
  const programs = findPostgresPrograms()
  if (programs === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'assay-postgres-'))
  const owner = postgresUser()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const port = await findFreePort()
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(programs, program), args, { stdio: 'ignore', cwd: folder, ...owner })
  const data = join(folder, 'data')
  run(
    'initdb',
    '--pgdata',
    data,
    '--username',
    'assay',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--no-locale',
    '--no-sync',
  )
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=100 ${more}`
  const start = () =>
    void run('pg_ctl', 'start', '--pgdata', data, '--wait', '--log', join(folder, 'log'), '--options', settings)
  const stop = (how: 'fast' | 'immediate' = 'fast') =>
    void run('pg_ctl', 'stop', '--pgdata', data, '--wait', '--mode', how)
  start()
  return {
    url: `postgres://assay@127.0.0.1:${port}/postgres`,
    port,
    folder,
    start,
    stop,
    remove: () => {
      try {
        stop('immediate')
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Finds the folder of initdb and pg_ctl: Debian's folder by version, or one on the PATH. */
export const findPostgresPrograms = (): string | undefined => {
  const folders = [...globSync('/usr/lib/postgresql/*/bin').sort().reverse(), ...(process.env.PATH ?? '').split(':')]
  return folders.find(folder => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')))
}

/** Returns the user and group to run PostgreSQL as where the tests run as root, which PostgreSQL refuses. */
export const postgresUser = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const { stdout, status } = spawnSync('id', ['-u', name], { encoding: 'utf8' })
    if (status === 0)
      return { uid: Number(stdout), gid: Number(spawnSync('id', ['-g', name], { encoding: 'utf8' }).stdout) }
  }
  return undefined
}
