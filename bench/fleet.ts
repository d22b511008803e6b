import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres, type TestPostgres } from '../test/support/postgres.ts'
import { schemaFor } from '../test/support/schema.ts'
import { firstKit, type Kit } from './kit.ts'
import { usageOf } from './processes.ts'
import { type AssayServer, type Keep, type Server, startAssay } from './servers.ts'

/** So many replicas, and the kit of the organization that all of them know. */
export type Fleet = { name: string; replicas: readonly AssayServer[]; kit: Kit }

type OwnPostgres = TestPostgres & { cpuMs(): number }

/** Measures over a PostgreSQL with the settings that it comes with; it ends after the servers that were kept. */
export const overPostgres = async <Figures>(
  measure: (postgres: OwnPostgres, keep: Keep) => Promise<Figures>,
): Promise<Figures> => {
  const postgres = await startPostgres('')
  if (!postgres)
    throw new Error('there is no PostgreSQL on this machine: install the package postgresql, or put it on the path')
  const pid = () => Number(readFileSync(join(postgres.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const servers: Server[] = []
  const keep: Keep = server => {
    servers.push(server)
    return server
  }
  try {
    return await measure({ ...postgres, cpuMs: () => usageOf(pid()).cpuMs }, keep)
  } finally {
    await Promise.all(servers.map(server => server.stop()))
    postgres.remove()
  }
}

type Wish = { name: string; folder: string; count: number; url: string | undefined; keep: Keep }

/** Replicas over a schema of their own, each in a process. */
export const startFleet = async (
  { name, folder, count, url, keep }: Wish,
  more: readonly string[] = [],
): Promise<Fleet> => {
  const store = url === undefined ? [] : ['--store', await schemaFor(url)]
  const folders = Array.from({ length: count }, (_, at) => join(folder, `${name} ${at}`))
  const replicas = await Promise.all(folders.map(async dataDir => keep(await startAssay(dataDir, [...store, ...more]))))
  return { name, replicas, kit: firstKit(folders[0] ?? '') }
}
