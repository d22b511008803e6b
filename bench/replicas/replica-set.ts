import { join } from 'node:path'
import { createPostgresSchema } from '../../test/support/create-postgres-schema.ts'
import { type MerchantCredentials, readDemoCredentials } from '../load/read-merchant-credentials.ts'
import { type AssayServer, type KeepServer, startAssay } from '../load/start-servers.ts'

/** Replicas over one store, with the kit of the demo organization. */
export type ReplicaSet = {
  name: string
  replicas: readonly AssayServer[]
  kit: MerchantCredentials
  /** The address of its schema in PostgreSQL, if it is there. */
  store: string | undefined
}

type ReplicaSetOptions = { name: string; folder: string; count: number; url: string | undefined; keep: KeepServer }

/** Starts replicas over a new schema, each in a process; one server over SQLite where no URL is given. */
export const startReplicaSet = async (
  { name, folder, count, url, keep }: ReplicaSetOptions,
  more: readonly string[] = [],
): Promise<ReplicaSet> => {
  const schema = url === undefined ? undefined : await createPostgresSchema(url)
  const store = schema === undefined ? [] : ['--store', schema]
  const folders = Array.from({ length: count }, (_, at) => join(folder, `${name} ${at}`))
  const replicas = await Promise.all(folders.map(async dataDir => keep(await startAssay(dataDir, [...store, ...more]))))
  return { name, replicas, kit: readDemoCredentials(folders[0] ?? ''), store: schema }
}
