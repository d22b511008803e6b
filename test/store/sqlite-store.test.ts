import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { clocksContract } from './clocks-contract.ts'
import { faultsContract } from './faults-contract.ts'
import { identitiesContract } from './identities-contract.ts'
import { livesContract } from './lives-contract.ts'
import { retentionContract } from './retention-contract.ts'
import { storeContract } from './store-contract.ts'
import { webhooksContract } from './webhooks-contract.ts'

storeContract('The embedded store', openSqliteStore)
identitiesContract('The embedded store', openSqliteStore)
faultsContract('The embedded store', openSqliteStore)
livesContract('The embedded store', openSqliteStore)
webhooksContract('The embedded store', openSqliteStore)
clocksContract('The embedded store', openSqliteStore)
retentionContract('The embedded store', openSqliteStore)
