import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { faultsAndMocksContract } from './faults-and-mocks-contract.ts'
import { keysAndCertificatesContract } from './keys-and-certificates-contract.ts'
import { clocksContract } from './organization-clocks-contract.ts'
import { organizationStateContract } from './organization-reset-and-snapshots-contract.ts'
import { paymentCountsAndIdsContract } from './payment-counts-and-id-endings-contract.ts'
import { retentionContract } from './retention-contract.ts'
import { unitOfWorkContract } from './unit-of-work-isolation-and-jobs-contract.ts'
import { webhooksContract } from './webhooks-contract.ts'

unitOfWorkContract('The embedded store', openSqliteStore)
keysAndCertificatesContract('The embedded store', openSqliteStore)
faultsAndMocksContract('The embedded store', openSqliteStore)
organizationStateContract('The embedded store', openSqliteStore)
webhooksContract('The embedded store', openSqliteStore)
clocksContract('The embedded store', openSqliteStore)
paymentCountsAndIdsContract('The embedded store', openSqliteStore)
retentionContract('The embedded store', openSqliteStore)
