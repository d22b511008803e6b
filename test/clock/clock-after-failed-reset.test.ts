import { expect, test } from 'vitest'
import { createResetAndRemoval } from '../../simulator/organizations/reset-and-removal.ts'
import { createSnapshotRegistry } from '../../simulator/organizations/snapshot-registry.ts'
import { DAY } from '../../simulator/support/duration.ts'
import { openCore, SHOP } from '../support/simulator-core.ts'

const diskFull = async (): Promise<never> => {
  throw new Error('the disk is full')
}
const nothing = async () => undefined as never

/** The resets and snapshots of an organization whose store can write no state, a day ahead of real time. */
const onFullDisk = async () => {
  const core = await openCore()
  const states = { resetOrganization: diskFull, removeOrganization: diskFull, replaceOrganizationState: diskFull }
  const others = { keyRotation: { restore: nothing, clamp: nothing }, tokens: { setBack: nothing }, onChange: nothing }
  const parts = { ...core, ...others, store: { ...core.store, ...states } }
  const snapshots = createSnapshotRegistry(parts as never)
  const organization = (await core.store.organization(SHOP)) as never
  await snapshots.take(organization, 'earlier')
  await core.control.advance(SHOP, DAY)
  const journal = { clear: () => undefined }
  return { ...createResetAndRemoval({ ...parts, journal } as never), snapshots, organization, clock: core.clock }
}

const ACTS = {
  reset: ({ reset }) => reset(SHOP),
  remove: ({ remove }) => remove(SHOP),
  restore: ({ snapshots, organization }) => snapshots.restore(organization, 'earlier'),
} satisfies Record<string, (parts: Awaited<ReturnType<typeof onFullDisk>>) => Promise<unknown>>

test.each(Object.entries(ACTS))('%s: where the store cannot do it, the clock is where it was', async (_, act) => {
  const parts = await onFullDisk()
  const before = parts.clock.now(SHOP)
  await expect(act(parts)).rejects.toThrow('the disk is full')
  expect(parts.clock.now(SHOP)).toBe(before)
})
