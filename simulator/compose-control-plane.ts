import { createConductJudge } from './conduct/conduct-judge.ts'
import { createDrillRunner } from './conduct/drill-runner.ts'
import { createClientCertificateRegistry } from './installation/client-certificate-registry.ts'
import type { Installation } from './installation/installation-keys-and-certificates.ts'
import { createSigningKeyRegistry } from './installation/signing-key-registry.ts'
import type { JobScheduler } from './jobs/job-scheduler.ts'
import type { CallCounts } from './journal/call-counts.ts'
import type { Journal } from './journal/journal.ts'
import { createJournalReader } from './journal/journal-reader.ts'
import type { RulesOf } from './operations/operation-types.ts'
import type { Config } from './options/options.ts'
import { createClockControl } from './organizations/clock-control.ts'
import { createControlTokenRegistry } from './organizations/control-token-registry.ts'
import { createSigningKeyRotation } from './organizations/forced-merchant-signing-key-rotation.ts'
import type { OrganizationDialects } from './organizations/organization-dialects.ts'
import { createOrganizationRegistry } from './organizations/organization-registry.ts'
import { createCapabilityRegistry } from './organizations/payment-method-capability-registry.ts'
import { createResetAndRemoval } from './organizations/reset-and-removal.ts'
import { createSnapshotRegistry } from './organizations/snapshot-registry.ts'
import { createTokenRevocation } from './organizations/token-revocation.ts'
import { createCallAndPaymentStatistics } from './overview/call-and-payment-statistics.ts'
import { createSearch } from './overview/search.ts'
import { createReportReader } from './reports/daily-reports-for-portal-and-control.ts'
import { createFaultRegistry } from './scenarios/armed-fault-registry.ts'
import { createMockRegistry } from './scenarios/mock-registry.ts'
import type { ScenarioCatalogue } from './scenarios/scenario-catalogue.ts'
import { toScenarioSummary } from './scenarios/scenario-summary.ts'
import { createMandateRegistry } from './shoppers/list-and-revoke-mandates.ts'
import { createPhoneMemory } from './shoppers/phone-open-code-and-last-payments.ts'
import { createPhoneRegistry } from './shoppers/phone-registry.ts'
import { createShopperActions } from './shoppers/shopper-actions.ts'
import { createSignatureLab, type SignatureRules } from './signature-lab/signature-lab.ts'
import { createBackup } from './store/backup-of-database.ts'
import type { Store } from './store/store.ts'
import type { ChangeFeed } from './support/change-feed.ts'
import type { Clock } from './support/clock.ts'
import type { DialectRegistry } from './support/dialect-registry.ts'
import type { Ids } from './support/ids.ts'
import { createPaymentAndTimelineReader } from './timeline/payment-and-timeline-reader.ts'
import { createDeliveryListAndResend } from './webhooks/delivery-list-and-resend.ts'
import { createDeliveryPlanRegistry } from './webhooks/delivery-plan-registry.ts'
import { createEndpointRegistry } from './webhooks/endpoint-registry.ts'
import { createInbox } from './webhooks/inbox.ts'
import type { WebhookSending } from './webhooks/open-webhook-sending.ts'

type ControlPlaneParts = {
  config: Pick<Config, 'dataDir' | 'maxOrganizations'>
  store: Store
  clock: Clock
  ids: Ids
  /** What the deployment of each organization is spoken like. */
  dialects: DialectRegistry
  organizationDialects: OrganizationDialects
  jobs: JobScheduler
  journal: Journal
  callCounts: CallCounts
  changes: ChangeFeed
  installation: Installation
  scenarios: ScenarioCatalogue
  rulesOf: RulesOf
  webhooks: Pick<WebhookSending, 'sign' | 'listeners' | 'newsSignal' | 'closing'>
  /** The seed of `--variety`, where it is on (9). */
  seed?: string | undefined
  /** Called when cached data of an organization, its keys or certificates is out of date. */
  onChange: (organizationId: string) => void
  /** Rules by which signatures are accepted, for the signature lab. */
  signatures: SignatureRules
}

/** Creates the services that drive the sandbox (clock, faults, webhooks …) for portal, hosted pages and control API. */
export const createControlPlaneFeatures = (parts: ControlPlaneParts) => {
  const clock = createClockControl(parts)
  const faults = createFaultRegistry(parts)
  const deliveryPlans = createDeliveryPlanRegistry(parts)
  const conduct = createConductJudge({ ...parts, choicesOf: organizationId => parts.rulesOf(organizationId).choices })
  const organizations = createOrganizationRegistry({ ...parts, most: parts.config.maxOrganizations })
  const keyRotation = createSigningKeyRotation({ ...parts, organizations })
  const tokens = createTokenRevocation(parts)
  const certificates = createClientCertificateRegistry(parts)
  const signingKeys = createSigningKeyRegistry(parts)
  const payments = createPaymentAndTimelineReader(parts)
  const shopper = createShopperActions(parts)
  return {
    organizations,
    capabilities: createCapabilityRegistry(parts),
    organizationDialects: parts.organizationDialects,
    shopper,
    phones: createPhoneRegistry(parts),
    phoneMemory: createPhoneMemory({ ...parts, shopper }),
    mandates: createMandateRegistry(parts),
    clock,
    faults,
    endpoints: createEndpointRegistry(parts),
    listeners: parts.webhooks.listeners,
    deliveries: createDeliveryListAndResend(parts),
    deliveryPlans,
    inbox: createInbox(parts),
    reports: createReportReader(parts),
    scenarios: parts.scenarios,
    scenarioSummaries: () => parts.scenarios.all.map(toScenarioSummary),
    mocks: createMockRegistry(parts),
    ...createResetAndRemoval({ ...parts, keyRotation, tokens }),
    snapshots: createSnapshotRegistry({ ...parts, keyRotation, tokens }),
    certificates,
    signingKeys,
    tokens,
    controlTokens: createControlTokenRegistry(parts),
    lab: createSignatureLab(parts),
    journal: createJournalReader(parts),
    payments,
    statistics: createCallAndPaymentStatistics(parts),
    search: createSearch({ ...parts, payments, signingKeys, certificates }),
    conduct,
    drills: createDrillRunner({ clock, faults, deliveryPlans, keyRotation, conduct, now: parts.clock.real }),
    dialects: parts.dialects,
    changes: parts.changes,
    now: parts.clock.now,
    rate: (organizationId: string) => parts.clock.setting(organizationId).rate,
    backup: createBackup(parts.store, parts.config.dataDir),
    realNow: parts.clock.real,
    seed: parts.seed,
  }
}

export type ControlPlaneFeatures = ReturnType<typeof createControlPlaneFeatures>
