import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPostgresSchema } from '../../test/support/create-postgres-schema.ts'
import { type PostgresServer, startPostgres } from '../../test/support/postgres-server.ts'
import { type MerchantCredentials, readDemoCredentials } from '../load/merchant-credentials.ts'
import { usageOf } from '../load/process-usage.ts'
import { type AssayServer, type KeepServer, type Server, startAssay } from '../load/start-servers.ts'

/** Replicas over one store, with the kit of the demo organization. */
export type ReplicaSet = { name: string; replicas: readonly AssayServer[]; kit: MerchantCredentials }

type OwnPostgres = PostgresServer & { cpuMs(): number }

/** Runs a measurement over a PostgreSQL with default settings; stops the servers first, then PostgreSQL. */
export const measureOverPostgres = async <Figures>(
  measure: (postgres: OwnPostgres, keep: KeepServer) => Promise<Figures>,
): Promise<Figures> => {
  const postgres = await startPostgres('')
  if (!postgres)
    throw new Error('there is no PostgreSQL on this machine: install the package postgresql, or put it on the path')
  const pid = () => Number(readFileSync(join(postgres.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const servers: Server[] = []
  const keep: KeepServer = server => {
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

type ReplicaSetOptions = { name: string; folder: string; count: number; url: string | undefined; keep: KeepServer }

/** Starts replicas over a new schema, each in a process; one server over SQLite where no URL is given. */
export const startReplicaSet = async (
  { name, folder, count, url, keep }: ReplicaSetOptions,
  more: readonly string[] = [],
): Promise<ReplicaSet> => {
  const store = url === undefined ? [] : ['--store', await createPostgresSchema(url)]
  const folders = Array.from({ length: count }, (_, at) => join(folder, `${name} ${at}`))
  const replicas = await Promise.all(folders.map(async dataDir => keep(await startAssay(dataDir, [...store, ...more]))))
  return { name, replicas, kit: readDemoCredentials(folders[0] ?? '') }
}
