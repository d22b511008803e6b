import type { Config } from '../../simulator/options/options.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import type { Store } from '../../simulator/store/store.ts'
import { createPostgresSchema } from './create-postgres-schema.ts'

/**
 * Returns the `store` option of a test's simulator in a folder: a schema where the tests run over PostgreSQL, else
 * none.
 */
export const storeOptionFor = async (folder: string): Promise<Partial<Pick<Config, 'store'>>> => {
  const url = process.env.ASSAY_TEST_POSTGRES
  return url ? { store: await createPostgresSchema(url, folder) } : {}
}

/**
 * Opens the store of a test's folder: its SQLite file, or its PostgreSQL schema where the tests run over PostgreSQL.
 */
export const openTestStore = async (folder: string): Promise<Store> => {
  const { store } = await storeOptionFor(folder)
  return store === undefined ? openSqliteStore(folder) : openPostgresStore(store)
}
