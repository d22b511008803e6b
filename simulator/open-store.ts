import type { Config } from './options.ts'
import { StartError } from './start-error.ts'
import type { Store } from './store/port.ts'
import { troubleWithPostgres } from './store/postgres/trouble.ts'
import { openSqliteStore } from './store/sqlite/store.ts'
import { troubleOf } from './store/sqlite/trouble.ts'

/** What no two replicas may do at once: one after the other. */
export const oneAtATime = <Result>({ replicas }: Store, what: string, act: () => Promise<Result>): Promise<Result> =>
  replicas ? replicas.once(what, act) : act()

/** The file in the data folder, or the PostgreSQL of many replicas. Throws StartError. */
export const openStore = async ({ store, dataDir }: Config, onFault: (error: unknown) => void): Promise<Store> => {
  if (store === undefined) return openSqliteStore(dataDir)
  const { openPostgresStore } = await import('./store/postgres/store.ts')
  return openPostgresStore(store, onFault)
}

/** Where all is kept, in words for sentences about it and their cure. */
export const placeOf = ({ store, dataDir }: Config) =>
  store === undefined
    ? { name: dataDir, whole: 'the folder', option: '--data-dir' }
    : { name: 'the database', whole: 'the database', option: '--store' }

/** An error as the end of a start: trouble with where all is kept in one sentence, any other as it is. */
export const startErrorOf = (error: unknown, { store, dataDir }: Config): unknown => {
  const trouble = troubleOf(error, dataDir) ?? (store && troubleWithPostgres(error, store))
  return trouble === undefined ? error : new StartError(trouble)
}
