import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { storeContract } from './store-contract.ts'

storeContract('The embedded store', openSqliteStore)
