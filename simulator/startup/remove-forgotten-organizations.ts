import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import { createForgottenOrganizations } from '../organizations/forgotten-organizations.ts'
import { DEMO_ORGANIZATION } from '../organizations/organization-registry.ts'
import { HOUR } from '../support/duration.ts'
import type { OpenedStore } from './open-store-with-retention-and-outbox.ts'
import type { StartupContext } from './startup-context.ts'

type Parts = StartupContext & OpenedStore & { controlPlane: Pick<ControlPlaneFeatures, 'remove'> }

/**
 * Removes, now and every hour, the organizations that nobody has used for as long as `--keep-organizations` says; those
 * of every sandbox and of the init file stay. Returns what notes uses: calls of the API and acts on control.
 */
export const removeForgottenOrganizations = ({ controlPlane, ...phases }: Parts) => {
  const { config, observeCall, resources, logger, onError, closing } = phases
  const keep = config.keepOrganizations
  if (keep === undefined) return { observeCall, noteUse: undefined }
  const remove = async (organizationId: string): Promise<void> => {
    await controlPlane.remove(organizationId)
    logger?.act({
      ...{ by: '--keep-organizations', method: 'DELETE' },
      ...{ path: `/control/organizations/${organizationId}`, status: 200 },
    })
  }
  const kept = [DEMO_ORGANIZATION, ...phases.initial.map(({ id }) => id)]
  const { noteUse, sweep, settled } = createForgottenOrganizations({ ...phases, keep, kept, remove })
  let sweeping = Promise.resolve()
  const sweepNow = (): void => {
    if (!closing.aborted) sweeping = sweeping.then(sweep).then(() => undefined, onError)
  }
  const timer = setInterval(sweepNow, HOUR).unref()
  resources.defer(async () => {
    clearInterval(timer)
    await Promise.all([sweeping, settled()])
  })
  sweepNow()
  return {
    noteUse,
    observeCall: (entry: JournalEntry): void => {
      observeCall(entry)
      if (entry.organizationId !== undefined) noteUse(entry.organizationId)
    },
  }
}
