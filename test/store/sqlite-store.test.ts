import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { clocksContract } from './clocks-contract.ts'
import { faultsAndMocksContract } from './faults-and-mocks-contract.ts'
import { keysAndCertificatesContract } from './keys-and-certificates-contract.ts'
import { organizationStateContract } from './organization-state-contract.ts'
import { paymentCountsAndIdsContract } from './payment-counts-and-ids-contract.ts'
import { retentionContract } from './retention-contract.ts'
import { unitOfWorkContract } from './unit-of-work-contract.ts'
import { webhooksContract } from './webhooks-contract.ts'

unitOfWorkContract('The embedded store', openSqliteStore)
keysAndCertificatesContract('The embedded store', openSqliteStore)
faultsAndMocksContract('The embedded store', openSqliteStore)
organizationStateContract('The embedded store', openSqliteStore)
webhooksContract('The embedded store', openSqliteStore)
clocksContract('The embedded store', openSqliteStore)
paymentCountsAndIdsContract('The embedded store', openSqliteStore)
retentionContract('The embedded store', openSqliteStore)
