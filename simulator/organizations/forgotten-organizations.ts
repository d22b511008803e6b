import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import { coalesceByName } from '../support/coalesce-concurrent-runs.ts'
import { ControlError } from '../support/control-error.ts'
import { HOUR } from '../support/duration.ts'

/** Remover of organizations that nobody has used for a while. */
export type ForgottenOrganizations = {
  /** Notes that an organization is used: by a call of the API, an act on control or portal, or its creation (`isNew`). */
  noteUse(organizationId: string, isNew?: boolean): void
  /** Removes the organizations whose last use is longer ago than they are kept; returns their ids. */
  sweep(): Promise<readonly string[]>
  /** Waits until the uses that were noted are saved. */
  settled(): Promise<void>
}

type Parts = {
  store: Pick<Store, 'organizations' | 'setting' | 'saveSetting' | 'replicas'>
  clock: Pick<Clock, 'real'>
  /** How long an organization stays after its last use, in milliseconds of real time. */
  keep: number
  /** Organizations that stay without any use. */
  kept: readonly string[]
  remove: (organizationId: string) => Promise<void>
  onError: (error: unknown) => void
}

const SETTING = 'last-uses-of-organizations'
/** Until when uses were noted: time before a start in which nobody noted them does not count as time without a use. */
const NOTED_UNTIL = 'uses-of-organizations-noted-until'
/** How precisely last uses are saved, in milliseconds; an organization stays so much longer. */
const PRECISION = HOUR
/** Uses are saved at least once an hour while they are noted, by a sweep. */
const LONGEST_BETWEEN_SAVES = 2 * HOUR

/**
 * Creates the remover of forgotten organizations. The last uses are one saved setting, written at most once an hour for
 * each organization.
 */
export const createForgottenOrganizations = (parts: Parts): ForgottenOrganizations => {
  const { store, clock, keep, kept, remove, onError } = parts
  const uses = new Map<string, number>()
  const savedAt = new Map<string, number>()
  let saving = Promise.resolve()
  let isStart = true

  const readSaved = async (): Promise<Record<string, number>> => JSON.parse((await store.setting(SETTING)) ?? '{}')
  /** Merges the uses of this process with those that are saved, which other replicas write too. */
  const merge = async () => {
    const saved = await readSaved()
    const now = clock.real()
    const unnoted = isStart ? now - Number((await store.setting(NOTED_UNTIL)) ?? 0) : 0
    const gap = unnoted > LONGEST_BETWEEN_SAVES ? unnoted : 0
    const existing = (await store.organizations()).map(({ organizationId }) => organizationId)
    const lastUse = (id: string): number =>
      saved[id] === undefined ? now : Math.max(Math.min(saved[id] + gap, now), uses.get(id) ?? 0)
    const merged = existing.map(id => [id, lastUse(id)] as const)
    await store.saveSetting(SETTING, JSON.stringify(Object.fromEntries(merged)))
    await store.saveSetting(NOTED_UNTIL, String(now))
    isStart = false
    for (const [id, at] of merged) savedAt.set(id, at)
    const there = new Set(existing)
    for (const ids of [uses, savedAt]) for (const id of ids.keys()) if (!there.has(id)) ids.delete(id)
    return merged.map(([id]) => id)
  }
  const save = coalesceByName(() => (store.replicas ? store.replicas.withTurn(SETTING, merge) : merge()))
  const isForgotten = async (organizationId: string): Promise<boolean> => {
    const lastUse = Math.max((await readSaved())[organizationId] ?? 0, uses.get(organizationId) ?? 0)
    return clock.real() - lastUse > keep + PRECISION
  }

  /** Removes an organization; false where another replica has done so meanwhile, and where it fails, which the next sweep repeats. */
  const isRemovedNow = (organizationId: string): Promise<boolean> =>
    remove(organizationId).then(
      () => true,
      error => {
        if (!(error instanceof ControlError && error.kind === 'unknown')) onError(error)
        return false
      },
    )

  return {
    noteUse: (organizationId, isNew = false) => {
      const now = clock.real()
      uses.set(organizationId, now)
      if (isNew) savedAt.delete(organizationId) // what is saved is the last use of an earlier one of its id
      if (now - (savedAt.get(organizationId) ?? Number.NEGATIVE_INFINITY) < PRECISION) return
      savedAt.set(organizationId, now)
      saving = save('').then(() => undefined, onError)
    },
    sweep: async () => {
      const forgotten: string[] = []
      for (const organizationId of await save('')) {
        if (kept.includes(organizationId) || !(await isForgotten(organizationId))) continue
        if (await isRemovedNow(organizationId)) forgotten.push(organizationId)
      }
      return forgotten
    },
    settled: () => saving,
  }
}
