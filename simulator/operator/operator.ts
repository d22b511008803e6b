import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Journal } from '../journal/journal.ts'
import type { Catalogue } from '../scenarios/catalogue.ts'
import type { Store } from '../store/port.ts'
import type { Webhooks } from '../webhooks/open-webhooks.ts'
import { createAccountCapabilities } from './account-capabilities.ts'
import { createCertificateRegistry } from './certificate-registry.ts'
import { createClockControl } from './clock-control.ts'
import { createConduct } from './conduct.ts'
import { createDeliveries } from './deliveries.ts'
import { createDeliveryPlans } from './delivery-plans.ts'
import { createDrills } from './drills.ts'
import { createEndpoints } from './endpoints.ts'
import { createFaults } from './faults.ts'
import { createFreshStart } from './fresh-start.ts'
import { createInbox } from './inbox.ts'
import type { Installation } from './installation.ts'
import { createJournalView } from './journal-view.ts'
import { createKeyRegistry } from './key-registry.ts'
import { createKeyRotation } from './key-rotation.ts'
import { createLab, type SignatureRules } from './lab.ts'
import { createMandates } from './mandates.ts'
import { createMocks } from './mocks.ts'
import { createOrganizations } from './organizations.ts'
import { createPaymentRecords } from './payment-records.ts'
import { createPhones } from './phones.ts'
import { createReports } from './reports.ts'
import { createShopper } from './shopper.ts'
import { createSnapshots } from './snapshots.ts'

export type OperatorParts = {
  store: Store
  clock: Clock
  ids: Ids
  jobs: Jobs
  journal: Journal
  installation: Installation
  scenarios: Catalogue
  webhooks: Pick<Webhooks, 'sign' | 'bell' | 'closing'>
  /** The seed of the variety, where that is on (9). */
  seed?: string | undefined
  /** Told that what others may remember of an organization, its keys or certificates is out of date. */
  onChange: (organizationId: string) => void
  /** What signatures are accepted, for the lab. */
  signatures: SignatureRules
}

/** Everything that people do to the sandbox beside the contract: behind every page, every REST twin, and in process. */
export const createOperator = (parts: OperatorParts) => {
  const clock = createClockControl(parts)
  const faults = createFaults(parts)
  const deliveryPlans = createDeliveryPlans(parts)
  const conduct = createConduct(parts)
  const organizations = createOrganizations(parts)
  const keyRotation = createKeyRotation({ ...parts, organizations })
  return {
    organizations,
    capabilities: createAccountCapabilities(parts),
    shopper: createShopper(parts),
    phones: createPhones(parts),
    mandates: createMandates(parts),
    clock,
    faults,
    endpoints: createEndpoints(parts),
    deliveries: createDeliveries(parts),
    deliveryPlans,
    inbox: createInbox(parts),
    reports: createReports(parts),
    scenarios: parts.scenarios,
    mocks: createMocks(parts),
    ...createFreshStart({ ...parts, keyRotation }),
    snapshots: createSnapshots(parts),
    certificates: createCertificateRegistry(parts),
    signingKeys: createKeyRegistry(parts),
    lab: createLab(parts),
    /** The last calls, newest first; of callers that nobody knows where no organization is named. */
    journal: (organizationId: string | undefined, limit: number) => parts.journal.list(organizationId, limit),
    calls: createJournalView(parts),
    payments: createPaymentRecords(parts),
    conduct,
    drills: createDrills({ clock, faults, deliveryPlans, keyRotation, conduct, now: parts.clock.real }),
    list: () => parts.store.organizations(),
    some: parts.store.findOrganizations,
    find: (organizationId: string) => parts.store.organization(organizationId),
    now: parts.clock.now,
    rate: (organizationId: string) => parts.clock.setting(organizationId).rate,
    realNow: parts.clock.real,
    seed: parts.seed,
  }
}

export type Operator = ReturnType<typeof createOperator>
