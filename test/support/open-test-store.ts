import type { Config } from '../../simulator/options.ts'
import type { Store } from '../../simulator/store/port.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { schemaFor } from './schema.ts'

/** What tells a simulator where to keep things: nothing, or a schema of its folder's where the tests run over PostgreSQL. */
export const storeFor = async (folder: string): Promise<Partial<Pick<Config, 'store'>>> => {
  const url = process.env.ASSAY_TEST_POSTGRES
  return url ? { store: await schemaFor(url, folder) } : {}
}

/** The store of a folder: a file in it, or its schema where the tests run over PostgreSQL. */
export const openTestStore = async (folder: string): Promise<Store> => {
  const { store } = await storeFor(folder)
  return store === undefined ? openSqliteStore(folder) : openPostgresStore(store)
}
