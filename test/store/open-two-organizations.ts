import { onTestFinished } from 'vitest'
import type { Store } from '../../simulator/store/store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { organization } from './sample-records.ts'

/**
 * A function that opens the store under test at a place (a folder, a schema); the same place gives the same records
 * again.
 */
export type OpenStore = (place: string) => Store | Promise<Store>

/**
 * Opens a new store for a contract test with the organizations `shop` and `other`; `reopen` closes it and opens it
 * again.
 */
export const openTwoOrganizations = async (openStore: OpenStore) => {
  const place = temporaryFolder()
  let store = await openStore(place)
  onTestFinished(() => store.close())
  for (const id of ['shop', 'other']) await store.addOrganization(organization(id))
  const reopen = async (): Promise<Store> => {
    await store.close()
    store = await openStore(place)
    return store
  }
  return { store, reopen }
}
