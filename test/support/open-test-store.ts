import type { Store } from '../../simulator/store/port.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { schemaFor } from './schema.ts'

/** The store of a folder: a file in it, or its schema where the tests run over PostgreSQL. */
export const openTestStore = async (folder: string): Promise<Store> => {
  const url = process.env.ASSAY_TEST_POSTGRES
  return url ? openPostgresStore(await schemaFor(url, folder)) : openSqliteStore(folder)
}
