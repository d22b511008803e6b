import { createControlPlaneFeatures } from '../compose-control-plane.ts'
import { type CertificateAndKeyCache, createCertificateAndKeyCache } from '../http/certificate-and-key-cache.ts'
import { toSignatureRules, toSigningDialect } from '../http/signature-rules-from-config.ts'
import { createCallCounts, withCallCounts } from '../journal/call-counts.ts'
import { createJournal } from '../journal/journal.ts'
import { createPaymentQuota, type PaymentQuota } from '../operations/payment-quota.ts'
import { createOrganizationDialects } from '../organizations/organization-dialects.ts'
import { applyInitFile } from './apply-init-file.ts'
import { compareOptionsOfReplicas } from './compare-options-of-replicas.ts'
import type { OpenedStore } from './open-store-with-retention-and-outbox.ts'
import type { PreparedInstallation } from './prepare-installation.ts'
import { removeForgottenOrganizations } from './remove-forgotten-organizations.ts'
import { resumeOrganizations } from './resume-organizations.ts'
import { withStartLock } from './start-lock.ts'
import { startWebhooksAndJobs } from './start-webhooks-and-jobs.ts'
import type { StartupContext } from './startup-context.ts'
import { synchronizeWithReplicas } from './synchronize-with-replicas.ts'

/** Services that the servers use (journal, jobs, control plane, key cache), and `notes` about the start. */
export type SimulatorFeatures = Awaited<ReturnType<typeof openSimulatorFeatures>>

/** Starts due jobs, webhooks, journal and control plane, and resumes every organization: the third phase of a start. */
export const openSimulatorFeatures = async (phases: StartupContext & OpenedStore & PreparedInstallation) => {
  const { config, store, rules, variety, parts, resources } = phases
  const { webhooks, jobs } = startWebhooksAndJobs({
    ...phases,
    dialect: toSigningDialect(config),
    privateRanges: config.webhookPrivate,
    timeoutMilliseconds: config.webhookTimeout,
    ca: phases.webhookCa,
    post: parts.post,
  })
  resources.defer(async () => jobs.stop())
  resources.defer(webhooks.dispatcher.settled)
  const paymentQuota = createPaymentQuota({ ...phases, most: config.maxPayments })
  const identityCache = withForgottenCount(parts.identityCache ?? createCertificateAndKeyCache(store), paymentQuota)
  const organizationDialects = createOrganizationDialects({ ...phases, onChange: identityCache.invalidate })
  const { journalSize } = config
  const callCounts = createCallCounts(phases.clock.real)
  const ownJournal = withCallCounts(
    createJournal(journalSize, id => phases.changes.receive(id ?? '', ['calls'])),
    callCounts,
  )
  const { newsSignal } = webhooks
  const journal = await synchronizeWithReplicas({
    ...phases,
    jobs,
    identityCache,
    refreshDialects: organizationDialects.refresh,
    newsSignal,
    journal: ownJournal,
    journalSize,
  })
  const controlPlane = createControlPlaneFeatures({
    ...phases,
    jobs,
    journal,
    callCounts,
    webhooks,
    organizationDialects,
    scenarios: rules.scenarios,
    seed: variety?.seed,
    onChange: identityCache.invalidate,
    signatures: toSignatureRules(config),
  })
  const notes = await withStartLock(store, async () => {
    const resumed = await resumeOrganizations({ ...phases, jobs, controlPlane })
    await applyInitFile(controlPlane, phases.initial, config.init)
    return [...(store.notes ?? []), ...resumed, ...(await compareOptionsOfReplicas(store, config))]
  })
  return {
    jobs,
    journal,
    identityCache,
    paymentQuota,
    controlPlane,
    notes,
    ...removeForgottenOrganizations({ ...phases, controlPlane }),
  }
}

/** Whatever replaces or removes payments of an organization invalidates what is cached of it, here and at other replicas. */
const withForgottenCount = (cache: CertificateAndKeyCache, { forget }: PaymentQuota): CertificateAndKeyCache => ({
  ...cache,
  invalidate: organizationId => {
    cache.invalidate(organizationId)
    forget(organizationId)
  },
})
