import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { type ClockSetting, REAL_TIME_SETTING } from '../../support/clock.ts'
import { createOneAtATime } from '../../support/one-at-a-time.ts'
import type { OrganizationState, OrganizationStateStore } from '../organization-state-store.ts'
import { adoptEarlierTables } from '../snapshot-validation/adopt-earlier-tables.ts'
import { EMPTY_STATE, IDENTITY_TABLES } from '../tables-emptied-by-reset.ts'
import type { openSnapshots } from './organization-snapshots.ts'
import { openOrganizationTables } from './organization-table-rows.ts'

/** A replacement of an organization's state; `snapshot` names the one that it restores, `clock` is set if it stays. */
type Replacement = { organizationId: string; snapshot?: string; clock?: ClockSetting }

type SavedSnapshots = Pick<ReturnType<typeof openSnapshots>, 'documentOf'>

/** Steps of a replacement that are one transaction: with no more it is atomic, and what follows has one each. */
const FIRST_STEPS = 5

/**
 * Opens the SQLite store of organization states: resets, removes, reads and replaces them. A large state is replaced
 * in many transactions, each in a turn of the event loop of its own, while the organization is closed to calls; what a
 * crash interrupts is finished when the database is opened again.
 */
export const openOrganizationState = (database: Database, { documentOf }: SavedSnapshots) => {
  const stateTables = openOrganizationTables(database)
  const { finish, unfinished, capabilities, removeIdentity } = prepareStatements(database)

  function* stepsOf(replacement: Replacement, state: OrganizationState): Generator<void, boolean> {
    yield* stateTables.clear(replacement.organizationId)
    yield* stateTables.fill(state.tables)
    return finish(replacement, state)
  }
  const take = database.transaction((steps: Generator<void, boolean>, count: number, before?: () => void) => {
    before?.()
    let step = steps.next()
    for (let taken = 1; taken < count && !step.done; taken += 1) step = steps.next()
    return step
  })
  const replace = async (replacement: Replacement, state: OrganizationState): Promise<boolean> => {
    const steps = stepsOf(replacement, state)
    let step = take.immediate(steps, FIRST_STEPS, () => unfinished.note(replacement))
    while (!step.done) {
      await setImmediate()
      step = take.immediate(steps, 1)
    }
    return step.value
  }

  /** Two restorations at once could each find that the other's ids are free. */
  const oneAtATime = createOneAtATime()
  const restore = async (replacement: Replacement, state: OrganizationState): Promise<boolean> => {
    if (!(await stateTables.isFree(replacement.organizationId, state.tables))) return false
    return replace(replacement, state)
  }

  const port: OrganizationStateStore = {
    resetOrganization: async organizationId =>
      void (await replace({ organizationId, clock: REAL_TIME_SETTING }, EMPTY_STATE)),
    removeOrganization: organizationId => replace({ organizationId }, EMPTY_STATE),
    clearRemovedOrganization: async organizationId => {
      if (capabilities.get(organizationId)) return false
      await replace({ organizationId }, EMPTY_STATE)
      return true
    },
    organizationState: async (organizationId, onRows) => {
      const row = capabilities.get(organizationId)
      const tables = await stateTables.read(organizationId, onRows)
      return { tables, capabilities: JSON.parse(row?.capabilities ?? '{}') }
    },
    validateState: stateTables.validate,
    replaceOrganizationState: (organizationId, snapshot, state, clock) =>
      oneAtATime('restorations', () => restore({ organizationId, snapshot, clock }, state)),
  }
  return {
    port,
    isUnfinished: unfinished.has,
    /** Deletes what is left of a removed organization, in the transaction of the caller. */
    clear: (organizationId: string): void => {
      removeIdentity(organizationId)
      Array.from(stateTables.clear(organizationId))
    },
    /** Ends the replacements that a crash interrupted. */
    finishReplacements: (): void => {
      for (const replacement of unfinished.all()) {
        const { organizationId, snapshot } = replacement
        const document = snapshot === undefined ? undefined : documentOf(organizationId, snapshot)
        const { tables, capabilities }: OrganizationState = document === undefined ? EMPTY_STATE : JSON.parse(document)
        const state = { tables: adoptEarlierTables(tables), capabilities }
        take.immediate(stepsOf(replacement, state), Number.POSITIVE_INFINITY)
      }
    },
  }
}

const prepareStatements = (database: Database) => {
  const run = <Parameters extends unknown[]>(text: string) => database.prepare<Parameters>(text)
  const setRow = run<[ClockSetting & { organizationId: string; capabilities: string }]>(`
    UPDATE organizations SET capabilities = @capabilities, clock_anchor_real = @anchorReal,
      clock_anchor_virtual = @anchorVirtual, clock_rate = @rate WHERE organization_id = @organizationId`)
  const capabilities = database.prepare<[string], { capabilities: string }>(
    'SELECT capabilities FROM organizations WHERE organization_id = ?',
  )
  const dropSecret = run<[string]>("DELETE FROM settings WHERE name = 'inbox-secret:' || ?")
  const deleteFrom = (table: string) => run<[string]>(`DELETE FROM ${table} WHERE organization_id = ?`)
  const [removeRow, dropIdentity] = [deleteFrom('organizations'), IDENTITY_TABLES.map(deleteFrom)]
  const removeIdentity = (organizationId: string): void => {
    for (const statement of [dropSecret, ...dropIdentity]) statement.run(organizationId)
  }
  const unfinished = prepareUnfinished(database)

  /** Ends a replacement after its rows; false if there is no such organization. */
  const finish = ({ organizationId, clock }: Replacement, state: OrganizationState): boolean => {
    unfinished.drop(organizationId)
    if (clock)
      return setRow.run({ ...clock, organizationId, capabilities: JSON.stringify(state.capabilities) }).changes === 1
    removeIdentity(organizationId)
    return removeRow.run(organizationId).changes === 1
  }
  return { finish, unfinished, capabilities, removeIdentity }
}

/** Prepares the notes of replacements that have begun, one for each organization. */
const prepareUnfinished = (database: Database) => {
  const PREFIX = 'unfinished-replacement:'
  const note = database.prepare<[string, string]>('INSERT OR REPLACE INTO settings VALUES (?, ?)')
  const drop = database.prepare<[string]>('DELETE FROM settings WHERE name = ?')
  const one = database.prepare<[string]>('SELECT 1 FROM settings WHERE name = ?')
  const all = database
    .prepare<[string, string], string>('SELECT value FROM settings WHERE name >= ? AND name < ?')
    .pluck()
  return {
    note: (replacement: Replacement) => note.run(PREFIX + replacement.organizationId, JSON.stringify(replacement)),
    drop: (organizationId: string) => drop.run(PREFIX + organizationId),
    has: (organizationId: string): boolean => one.get(PREFIX + organizationId) !== undefined,
    all: () => all.all(PREFIX, `${PREFIX}\u{10ffff}`).map(text => JSON.parse(text) as Replacement),
  }
}
