import { createExecute } from '../../simulator/operations/execute-call.ts'
import { openSimulatorFeatures } from '../../simulator/startup/open-simulator-features.ts'
import { openStore } from '../../simulator/startup/open-store-with-retention-and-outbox.ts'
import { prepareInstallation } from '../../simulator/startup/prepare-installation.ts'
import { createStartupContext } from '../../simulator/startup/startup-context.ts'
import type { Store } from '../../simulator/store/store.ts'
import { createClock } from '../../simulator/support/clock.ts'
import type { Ids } from '../../simulator/support/ids.ts'
import type { SendWebhook } from '../../simulator/webhooks/send-webhook.ts'
import { SETTLES_AFTER_MS } from '../explore/in-process-exploration-target.ts'

type Parts = {
  dataDir: string
  store: Store
  ids: Ids
  now(): number
  post: SendWebhook
  onError(error: unknown): void
}

/** A sandbox that runs on a simulated machine: all of it but its ports. */
export type SimulatedSandbox = Awaited<ReturnType<typeof openSimulatedSandbox>>

/** Starts a sandbox on a simulated machine without its servers: by all phases of a usual start but the last. */
export const openSimulatedSandbox = async ({ dataDir, store, ids, now, post, onError }: Parts) => {
  const start = now()
  const clock = createClock(now, () => now() - start)
  const config = { dataDir, settleAfter: SETTLES_AFTER_MS, responseAlgorithm: 'ECDSA_SHA_256' } as const
  const startup = await createStartupContext(config, { clock, ids, store, post, onError })
  const opened = await openStore(startup)
  const prepared = await prepareInstallation({ ...startup, ...opened })
  const features = await openSimulatorFeatures({ ...startup, ...opened, ...prepared })
  const execute = createExecute({ ...startup, ...opened, ...features })
  return { ...opened, ...features, clock, execute, close: startup.close }
}
