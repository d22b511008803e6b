import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { createSeededIds } from '../../simulator/support/ids.ts'
import type { Files } from './crash-images.ts'
import { openSimulatedSandbox } from './simulated-sandbox.ts'

/**
 * Instant at which the initial store files of a simulation are prepared and the simulation begins, epoch milliseconds.
 */
export const PREPARED_AT = Date.UTC(2026, 0, 5, 12)

/** The organizations of a simulation, by pairs that trade beside each other. */
export const SHOPS = [
  ['north', 'north-too'],
  ['south', 'south-too'],
  ['west', 'west-too'],
] as const

let prepared: Promise<Files> | undefined

/**
 * Prepares the initial store files of a simulation, once: those of a sandbox that was set up and stopped, with its
 * keys, and organizations with a webhook endpoint each.
 */
export const prepareFiles = (): Promise<Files> => {
  prepared ??= prepare()
  return prepared
}

const prepare = async (): Promise<Files> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-prepared-'))
  const sandbox = await openSimulatedSandbox({
    dataDir,
    store: openSqliteStore(dataDir),
    ids: createSeededIds('prepared', 0),
    now: () => PREPARED_AT,
    post: () => Promise.reject(new Error('nothing is sent')),
    onError: error => {
      throw error
    },
  })
  for (const organizationId of SHOPS.flat()) {
    await sandbox.store.addOrganization({
      organizationId,
      accountIds: [`${organizationId}-account-1`, `${organizationId}-account-2`],
      clock: REAL_TIME_SETTING,
      kit: '{}',
      certificates: [],
      signingKeys: [],
    })
    await sandbox.controlPlane.endpoints.add(organizationId, { url: `http://127.0.0.1:9/${organizationId}` })
  }
  await sandbox.close()
  const read = (name: string) => readFileSync(join(dataDir, name))
  const files = { database: read('assay.db'), log: Buffer.alloc(0), mark: read('assay.db-mark') }
  rmSync(dataDir, { recursive: true })
  return files
}
