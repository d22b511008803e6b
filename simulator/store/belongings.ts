import type { Life } from './lives-port.ts'

/** How a table's rows are an organization's: by its id, or because they hang on one of its payments. */
export type Whose = 'organization_id' | 'transaction_id'

// biome-ignore format: a table reads by its columns
/**
 * Everything that happens to an organization. Rows come back with integer keys of their own, in the order of the old
 * ones: nothing refers to such a key, and another organization may have taken it meanwhile.
 */
export const BELONGINGS = [
  // table           whose               integer key
  ['events',         'transaction_id',   'event_id'],
  ['payments',       'organization_id',  'payment_id'],
  ['postings',       'organization_id',  'posting_id'],
  ['jobs',           'organization_id',  'job_id'],
  ['faults',         'organization_id',  'fault_id'],
  ['faults_met',     'organization_id',  undefined],
  ['mocks',          'organization_id',  'mock_id'],
  ['phones',         'organization_id',  undefined],
  ['blik_codes',     'organization_id',  undefined],
  ['mandates',       'organization_id',  'mandate_id'],
  ['remembered',     'organization_id',  'position'],
  ['endpoints',      'organization_id',  'position'],
  ['notifications',  'organization_id',  'position'],
  ['deliveries',     'organization_id',  'position'],
  ['attempts',       'organization_id',  'position'],
  ['delivery_plans', 'organization_id',  'position'],
  ['deeds',          'organization_id',  'position'],
] as const satisfies readonly (readonly [table: string, whose: Whose, integerKey: string | undefined])[]

/** What an organization is and keeps: its identity, and the states that it has put by. */
export const KEPT = ['organizations', 'certificates', 'signing_keys', 'snapshots'] as const

export const NO_LIFE: Life = { tables: {}, capabilities: {} }
export const IDENTITY = ['certificates', 'signing_keys', 'snapshots', 'organizations'] as const
