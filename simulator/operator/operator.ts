import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Journal } from '../journal.ts'
import type { Store } from '../store/port.ts'
import { createAccountCapabilities } from './account-capabilities.ts'
import { createCertificateRegistry } from './certificate-registry.ts'
import { createClockControl } from './clock-control.ts'
import { createFaults } from './faults.ts'
import type { Installation } from './installation.ts'
import { createKeyRegistry } from './key-registry.ts'
import { createMandates } from './mandates.ts'
import { createOrganizations } from './organizations.ts'
import { createShopper } from './shopper.ts'

export type OperatorParts = {
  store: Store
  clock: Clock
  ids: Ids
  jobs: Jobs
  journal: Journal
  installation: Installation
  /** Told that what others may remember of an organization, its keys or certificates is out of date. */
  onChange: () => void
}

/** Everything that people do to the sandbox beside the contract: behind every page, every REST twin, and in process. */
export const createOperator = (parts: OperatorParts) => ({
  organizations: createOrganizations(parts),
  capabilities: createAccountCapabilities(parts),
  shopper: createShopper(parts),
  mandates: createMandates(parts),
  clock: createClockControl(parts),
  faults: createFaults(parts),
  /** What merchants have set by /mock/set, newest first (2.7). */
  mocks: (organizationId: string) => parts.store.mocks(organizationId, parts.clock.now(organizationId)),
  certificates: createCertificateRegistry(parts),
  signingKeys: createKeyRegistry(parts),
  /** The last calls, newest first; of callers that nobody knows where no organization is named. */
  journal: (organizationId: string | undefined, limit: number) => parts.journal.list(organizationId, limit),
  list: () => parts.store.organizations(),
  find: (organizationId: string) => parts.store.organization(organizationId),
  now: parts.clock.now,
})

export type Operator = ReturnType<typeof createOperator>
