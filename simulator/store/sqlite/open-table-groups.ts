import type { Database } from 'better-sqlite3'
import { openFaults } from './armed-faults.ts'
import { openBlikCodes } from './blik-codes.ts'
import { openCertificatesAndKeys } from './certificates-and-keys.ts'
import { openLedgerEntries } from './ledger-entries.ts'
import { openMandates } from './mandates.ts'
import { openSnapshots } from './organization-snapshots.ts'
import { openJobs } from './payment-deadlines-and-due-jobs.ts'
import { openLateCalls } from './pending-provider-calls.ts'
import { openMocks } from './provider-mocks.ts'
import { openOrganizationState } from './reset-and-replace-organization.ts'
import { prepareActivityInsertion } from './shopper-clicks-and-clock-moves.ts'
import { openWebhookStore } from './webhook-endpoints-and-delivery-plans.ts'

/** Opens the groups of SQLite tables that units of work read and write, in the transaction of the caller. */
export const openTables = (database: Database) => {
  const snapshots = openSnapshots(database)
  return {
    certificatesAndKeys: openCertificatesAndKeys(database),
    jobs: openJobs(database),
    mandates: openMandates(database),
    faults: openFaults(database),
    lateCalls: openLateCalls(database),
    mocks: openMocks(database),
    blikCodes: openBlikCodes(database),
    ledger: openLedgerEntries(database),
    snapshots,
    state: openOrganizationState(database, snapshots),
    webhooks: openWebhookStore(database),
    addActivity: prepareActivityInsertion(database),
  }
}

export type Tables = ReturnType<typeof openTables>
