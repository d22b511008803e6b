import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Journal } from '../journal.ts'
import type { Store } from '../store/port.ts'
import { createClockControl } from './clock-control.ts'
import type { Installation } from './installation.ts'
import { createOrganizations } from './organizations.ts'
import { createShopper } from './shopper.ts'

export type OperatorParts = {
  store: Store
  clock: Clock
  ids: Ids
  jobs: Jobs
  journal: Journal
  installation: Installation
}

/** Everything that people do to the sandbox beside the contract: behind every page, every REST twin, and in process. */
export const createOperator = (parts: OperatorParts) => ({
  organizations: createOrganizations(parts),
  shopper: createShopper(parts),
  clock: createClockControl(parts),
  /** The last calls, newest first; of callers that nobody knows where no organization is named. */
  journal: (organizationId: string | undefined, limit: number) => parts.journal.list(organizationId, limit),
  list: () => parts.store.organizations(),
  now: parts.clock.now,
})

export type Operator = ReturnType<typeof createOperator>
