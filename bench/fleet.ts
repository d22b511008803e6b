import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres, type TestPostgres } from '../test/support/postgres.ts'
import { schemaFor } from '../test/support/schema.ts'
import { type Kit, readKit } from './kit.ts'
import { usageOf } from './processes.ts'
import { type AssayServer, startAssay } from './servers.ts'

/** So many replicas, and the kit of the organization that all of them know. */
export type Fleet = { name: string; replicas: readonly AssayServer[]; kit: Kit }

/** PostgreSQL with the settings that it comes with. */
export const ownPostgres = async (): Promise<TestPostgres & { cpuMs(): number }> => {
  const postgres = await startPostgres('')
  if (!postgres)
    throw new Error('there is no PostgreSQL on this machine: install the package postgresql, or put it on the path')
  const pid = () => Number(readFileSync(join(postgres.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  return { ...postgres, cpuMs: () => usageOf(pid()).cpuMs }
}

/** Replicas over a schema of their own, each in a process. */
export const startFleet = async (
  { name, folder, count, url }: { name: string; folder: string; count: number; url: string | undefined },
  more: readonly string[] = [],
): Promise<Fleet> => {
  const store = url === undefined ? [] : ['--store', await schemaFor(url)]
  const folders = Array.from({ length: count }, (_, at) => join(folder, `${name} ${at}`))
  const replicas = await Promise.all(folders.map(dataDir => startAssay(dataDir, [...store, ...more])))
  return { name, replicas, kit: readKit(folders[0] ?? '') }
}
