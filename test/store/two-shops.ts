import { onTestFinished } from 'vitest'
import type { Store } from '../../simulator/store/port.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { organization } from './records.ts'

/** Opens a store that keeps what it is given in a place; the same place again gives the same records. */
export type OpenStore = (place: string) => Store | Promise<Store>

/** A new store with two organizations, and a way to see what is still there after it was closed and opened again. */
export const twoShops = async (openStore: OpenStore) => {
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
