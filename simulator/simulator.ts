import { join } from 'node:path'
import type { ControlPlaneFeatures } from './compose-control-plane.ts'
import { createKit, type Kit, writeKit } from './installation/merchant-kit.ts'
import type { Config } from './options/options.ts'
import { DEMO_ORGANIZATION } from './organizations/organization-registry.ts'
import { mapStoreError } from './startup/open-database.ts'
import { openSimulatorFeatures } from './startup/open-simulator-features.ts'
import { openStore } from './startup/open-store-with-retention-and-outbox.ts'
import { prepareInstallation } from './startup/prepare-installation.ts'
import { startServers } from './startup/start-servers.ts'
import { createStartupContext, type SimulatorParts } from './startup/startup-context.ts'
import type { Logger } from './telemetry/logger.ts'

/** A running sandbox: its addresses, and how to stop it. */
export type Simulator = {
  apiUrl: string
  pagesUrl: string
  /** Where this machine asks whether it is well. */
  healthUrl: string
  /** Where the API listens over plain HTTP, if it does. */
  plainUrl: string | undefined
  /** Security layers of clause 5 that are disabled, in words for people. */
  layersOff: readonly string[]
  /** The seed of `--variety`, where it is on (9). */
  seed: string | undefined
  /** Notes about the start, in sentences. */
  notes: readonly string[]
  /** Writes JSON lines, with `--log json`. */
  logger: Logger | undefined
  controlPlane: ControlPlaneFeatures
  /** Credentials of the demo organization; the same as files in `kitFolder`. */
  kit: Kit
  kitFolder: string
  /** Lets calls under way finish, then closes the store. */
  close(): Promise<void>
}

/**
 * Starts a sandbox in this process from its configuration; omitted options have their defaults. Throws StartError where
 * it cannot start.
 */
export const startSimulator = async (
  overrides: Partial<Config> = {},
  parts: Partial<SimulatorParts> = {},
): Promise<Simulator> => {
  const startup = await createStartupContext(overrides, parts)
  const { config, close } = startup
  try {
    const opened = await openStore(startup)
    const prepared = await prepareInstallation({ ...startup, ...opened })
    const runtime = await openSimulatorFeatures({ ...startup, ...opened, ...prepared })
    const { urls, layersOff, warmUp } = await startServers({ ...startup, ...opened, ...prepared, ...runtime })
    const { controlPlane, notes } = runtime
    const { organizations, organizationDialects, dialects } = controlPlane
    const folderOf = (organizationId: string) => join(config.dataDir, 'kit', organizationId)
    const saveKitOf = async (organizationId: string): Promise<Kit> => {
      const kit = createKit(await organizations.credentials(organizationId), urls, dialects.of(organizationId))
      writeKit(folderOf(organizationId), kit)
      return kit
    }
    const onDisk = new Set([DEMO_ORGANIZATION, ...startup.initial.map(({ id }) => id)])
    const refreshKit = async (id: string) => void (onDisk.has(id) && (await saveKitOf(id)))
    organizations.onKitChange(refreshKit)
    organizationDialects.onChange(refreshKit)
    for (const { id } of startup.initial) await saveKitOf(id)
    const [kit, kitFolder] = [await saveKitOf(DEMO_ORGANIZATION), folderOf(DEMO_ORGANIZATION)]
    const { logger } = startup
    warmUp()
    return { ...urls, layersOff, seed: opened.variety?.seed, notes, logger, controlPlane, kit, kitFolder, close }
  } catch (error) {
    await close()
    throw mapStoreError(error, config)
  }
}
