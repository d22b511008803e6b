import type { OrganizationState } from './organization-state-store.ts'

/** Column of a store table that links its rows to an organization: its own id, or the id of one of its payments. */
export type TableOwner = 'organization_id' | 'transaction_id'

// biome-ignore format: a table reads by its columns
/**
 * Tables of the store that hold an organization's state, which a reset empties: owner column and integer key of each.
 * Restored rows get new integer keys in the old order: no row refers to such a key, and another organization may use it
 * by then.
 */
export const ORGANIZATION_TABLES = [
  // table                  owner              integer key
  ['payment_events',       'transaction_id',  'event_id'],
  ['payments',             'organization_id', 'payment_id'],
  ['ledger_entries',       'organization_id', 'ledger_entry_id'],
  ['jobs',                 'organization_id', 'job_id'],
  ['faults',               'organization_id', 'fault_id'],
  ['fault_trigger_counts', 'organization_id', undefined],
  ['mocks',                'organization_id', 'mock_id'],
  ['phones',               'organization_id', undefined],
  ['blik_codes',           'organization_id', undefined],
  ['mandates',             'organization_id', 'mandate_id'],
  ['idempotency_keys',     'organization_id', 'position'],
  ['webhook_endpoints',    'organization_id', 'position'],
  ['messages',             'organization_id', 'position'],
  ['deliveries',           'organization_id', 'position'],
  ['delivery_attempts',    'organization_id', 'position'],
  ['delivery_plans',       'organization_id', 'position'],
  ['activities',           'organization_id', 'position'],
] as const satisfies readonly (readonly [table: string, whose: TableOwner, integerKey: string | undefined])[]

/** State of an organization to which nothing has happened yet. */
export const EMPTY_STATE: OrganizationState = { tables: {}, capabilities: {} }

/** Tables of what else belongs to an organization: a reset leaves them alone, a removal empties them. */
export const IDENTITY_TABLES = ['certificates', 'signing_keys', 'snapshots'] as const
