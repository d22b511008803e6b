import { openInstallation, serviceKeyFor } from '../installation/installation-keys-and-certificates.ts'
import { withoutBrackets } from '../installation/own-host-names.ts'
import type { Config } from '../options/options.ts'
import { describeStorage } from './open-database.ts'
import type { OpenedStore } from './open-store-with-retention-and-outbox.ts'
import { withStartLock } from './start-lock.ts'
import type { StartupContext } from './startup-context.ts'

/** The opened installation of a start, and the service's key for responses and webhooks. */
export type PreparedInstallation = Awaited<ReturnType<typeof prepareInstallation>>

/** Opens the installation in the store, or creates it at the first start: phase two of a start. Throws StartError. */
export const prepareInstallation = async ({ config, clock, store, ids }: StartupContext & OpenedStore) => {
  const parts = { store, clock, ids, place: describeStorage(config), serverNames: serverNames(config) }
  const installation = await withStartLock(store, () => openInstallation(parts))
  return { installation, key: serviceKeyFor(installation, config.responseAlgorithm) }
}

/** Returns the host names and addresses of the server certificate. */
const serverNames = ({ tlsNames, apiUrl }: Config): string[] => {
  const configured = apiUrl === undefined ? [] : [withoutBrackets(new URL(apiUrl).hostname)]
  return [...new Set(['localhost', '127.0.0.1', '::1', ...tlsNames, ...configured])]
}
