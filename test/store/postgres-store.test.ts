import { afterAll, describe } from 'vitest'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { startPostgres } from '../support/postgres.ts'
import { schemaFor } from '../support/schema.ts'
import { clocksContract } from './clocks-contract.ts'
import { faultsContract } from './faults-contract.ts'
import { identitiesContract } from './identities-contract.ts'
import { livesContract } from './lives-contract.ts'
import { retentionContract } from './retention-contract.ts'
import { storeContract } from './store-contract.ts'
import type { OpenStore } from './two-shops.ts'
import { webhooksContract } from './webhooks-contract.ts'

const postgres = await startPostgres()

afterAll(() => postgres?.remove())

/** A place is a schema of its own. */
const openStore: OpenStore = async place => openPostgresStore(await schemaFor(postgres?.url ?? '', place))

describe.skipIf(postgres === undefined)('where the machine has PostgreSQL', () => {
  storeContract('PostgreSQL', openStore)
  identitiesContract('PostgreSQL', openStore)
  faultsContract('PostgreSQL', openStore)
  livesContract('PostgreSQL', openStore)
  webhooksContract('PostgreSQL', openStore)
  clocksContract('PostgreSQL', openStore)
  retentionContract('PostgreSQL', openStore)
})
