import type { Config } from '../options/options.ts'
import { describePostgresError } from '../store/postgres/database-errors.ts'
import { describeSqliteError } from '../store/sqlite/database-errors.ts'
import { openSqliteStore } from '../store/sqlite/store.ts'
import type { Store } from '../store/store.ts'
import { StartError } from '../support/start-error.ts'

/**
 * Opens the simulator's store: the SQLite file in the data folder, or PostgreSQL where `--store` is given. Throws
 * StartError.
 */
export const openDatabase = async (
  { store, storeConnections, dataDir, acceptLoss }: Config,
  onError: (error: unknown) => void,
): Promise<Store> => {
  if (store === undefined) return openSqliteStore(dataDir, acceptLoss === 'yes')
  const { openPostgresStore } = await import('../store/postgres/store.ts').catch(explainMissingDriver)
  return openPostgresStore(store, onError, storeConnections)
}

/** The package of the driver is installed only where it is used. */
const explainMissingDriver = (error: NodeJS.ErrnoException): never => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  throw new StartError('A store in PostgreSQL needs the package pg: run "npm install pg", and start again.')
}

/** Describes the place of the database for error messages: name, what to restore a copy of, option that sets it. */
export const describeStorage = ({ store, dataDir }: Config) =>
  store === undefined
    ? { name: dataDir, whole: 'the folder', option: '--data-dir' }
    : { name: 'the database', whole: 'the database', option: '--store' }

/** Maps a known error of the database or its disk to a StartError of one sentence; any other error stays as it is. */
export const mapStoreError = (error: unknown, { store, dataDir }: Config): unknown => {
  const sentence = describeSqliteError(error, dataDir) ?? (store && describePostgresError(error, store))
  return sentence === undefined ? error : new StartError(sentence)
}
