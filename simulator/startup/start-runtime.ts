import { createControlPlane } from '../control-plane.ts'
import { createCertificateAndKeyCache } from '../http/certificate-and-key-cache.ts'
import { toSignatureRules, toSigningDialect } from '../http/signature-rules.ts'
import { createJournal } from '../journal/journal.ts'
import type { Startup } from './begin-startup.ts'
import { joinReplicas } from './join-replicas.ts'
import type { OpenedStore } from './open-store.ts'
import { type PreparedInstallation, withStartLock } from './prepare-installation.ts'
import { resumeOrganizations } from './resume-organizations.ts'
import { startBackgroundWork } from './start-background-work.ts'

/** The running parts behind the servers (journal, webhooks, jobs, control plane), and `notes` about the start. */
export type Runtime = Awaited<ReturnType<typeof startRuntime>>

/** Third phase: starts due work, webhooks, journal and control plane, and resumes every organization. */
export const startRuntime = async (phases: Startup & OpenedStore & PreparedInstallation) => {
  const { config, store, rules, variety, parts, resources } = phases
  const { webhooks, jobs } = startBackgroundWork({
    ...phases,
    dialect: toSigningDialect(config),
    privateRanges: config.webhookPrivate,
    timeoutMilliseconds: config.webhookTimeout,
    ca: phases.webhookCa,
  })
  resources.defer(jobs.stop)
  resources.defer(webhooks.dispatcher.settled)
  const identityCache = parts.identityCache ?? createCertificateAndKeyCache(store)
  const { journalSize } = config
  const ownJournal = createJournal(journalSize)
  const { newsSignal } = webhooks
  const journal = await joinReplicas({ ...phases, jobs, identityCache, newsSignal, journal: ownJournal, journalSize })
  const controlPlane = createControlPlane({
    ...phases,
    jobs,
    journal,
    webhooks,
    scenarios: rules.scenarios,
    seed: variety?.seed,
    onChange: identityCache.invalidate,
    signatures: toSignatureRules(config),
  })
  const notes = await withStartLock(store, () => resumeOrganizations({ ...phases, jobs, controlPlane }))
  return { jobs, journal, identityCache, controlPlane, notes }
}
