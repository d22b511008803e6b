import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { faultsContract } from './faults-contract.ts'
import { identitiesContract } from './identities-contract.ts'
import { storeContract } from './store-contract.ts'

storeContract('The embedded store', openSqliteStore)
identitiesContract('The embedded store', openSqliteStore)
faultsContract('The embedded store', openSqliteStore)
