import { afterAll, describe } from 'vitest'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { faultsAndMocksContract } from './faults-and-mocks-contract.ts'
import { keysAndCertificatesContract } from './keys-and-certificates-contract.ts'
import type { OpenStore } from './open-two-organizations.ts'
import { clocksContract } from './organization-clocks-contract.ts'
import { organizationStateContract } from './organization-reset-and-snapshots-contract.ts'
import { paymentCountsAndIdsContract } from './payment-counts-and-id-endings-contract.ts'
import { retentionContract } from './retention-contract.ts'
import { unitOfWorkContract } from './unit-of-work-isolation-and-jobs-contract.ts'
import { webhooksContract } from './webhooks-contract.ts'

const postgres = await startPostgres()

afterAll(() => postgres?.remove())

/** Opens the store in a schema named after the place. */
const openStore: OpenStore = async place => openPostgresStore(await createPostgresSchema(postgres?.url ?? '', place))

describe.skipIf(postgres === undefined)('the PostgreSQL store', () => {
  unitOfWorkContract('PostgreSQL', openStore)
  keysAndCertificatesContract('PostgreSQL', openStore)
  faultsAndMocksContract('PostgreSQL', openStore)
  organizationStateContract('PostgreSQL', openStore)
  webhooksContract('PostgreSQL', openStore)
  clocksContract('PostgreSQL', openStore)
  paymentCountsAndIdsContract('PostgreSQL', openStore)
  retentionContract('PostgreSQL', openStore)
})
