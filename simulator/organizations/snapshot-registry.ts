import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { SnapshotRecord } from '../store/organization-snapshot-store.ts'
import type { Organization } from '../store/organization-store.ts'
import type { Store } from '../store/store.ts'
import { type Clock, isoTime, parseInstant } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { createOneAtATime } from '../support/one-at-a-time.ts'
import type { createSigningKeyRotation } from './forced-merchant-signing-key-rotation.ts'
import { parseSnapshotText } from './parse-snapshot-text.ts'
import {
  adoptSnapshotDocument,
  createSnapshotDocument,
  createSnapshotLimit,
  invalidSnapshot,
  readSnapshotDocument,
  type SerializedSnapshot,
  type SnapshotContent,
  serializeSnapshot,
} from './snapshot-document.ts'
import type { createTokenRevocation } from './token-revocation.ts'

type Parts = {
  store: Store
  clock: Clock
  jobs: JobScheduler
  tokens: Pick<ReturnType<typeof createTokenRevocation>, 'setBack'>
  keyRotation: Pick<ReturnType<typeof createSigningKeyRotation>, 'clamp'>
  onChange: (organizationId: string) => void
}

/** Number of snapshots of an organization, and their bytes together, as all share the disk. */
const MAX_SNAPSHOTS = 50
const MAX_BYTES = 256 * 1024 * 1024

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

/** Creates the registry of organizations' snapshots: take, list, export, import, restore and delete. */
export const createSnapshotRegistry = ({ store, clock, jobs, tokens, keyRotation, onChange }: Parts) => {
  const requireSnapshot = async (organizationId: string, name: string): Promise<SnapshotRecord> => {
    const snapshot = await store.snapshot(organizationId, name)
    if (snapshot) return snapshot
    throw new ControlError('unknown', `${organizationId} has no snapshot ${name}: list them to see all.`)
  }

  const oneAtATime = createOneAtATime()
  const save = (organizationId: string, name: string, { text, takenAt }: SerializedSnapshot) =>
    oneAtATime(organizationId, async () => {
      const others = (await store.snapshots(organizationId)).filter(other => other.name !== name)
      if (others.length >= MAX_SNAPSHOTS)
        throw new ControlError('conflict', `There are ${MAX_SNAPSHOTS} snapshots: delete one that is not used.`)
      const bytes = Buffer.byteLength(text)
      if (others.reduce((sum, other) => sum + other.bytes, bytes) > MAX_BYTES)
        throw new ControlError('conflict', 'The snapshots would exceed 256 MiB together: delete one that is not used.')
      const snapshot = { name, takenAt: parseInstant(takenAt), document: text }
      const replaced = await store.saveSnapshot(organizationId, snapshot)
      return { name, takenAt, bytes, replaced }
    })

  const validated = async (value: unknown, organization: Organization): Promise<SnapshotContent> => {
    const document = await readSnapshotDocument(value)
    const reason = await store.validateState(document.organizationId, document)
    if (reason !== undefined) throw invalidSnapshot(reason)
    return adoptSnapshotDocument(document, organization)
  }

  return {
    list: async (organizationId: string) =>
      (await store.snapshots(organizationId)).map(({ name, takenAt, bytes }) => ({
        name,
        takenAt: isoTime(takenAt),
        bytes,
      })),

    /** Takes a snapshot of the current state; without a name it is called `snapshot-N`, by the first number that is free. */
    take: async (organization: Organization, wanted?: string) => {
      const { organizationId } = organization
      const taken = new Set((await store.snapshots(organizationId)).map(({ name }) => name))
      const name = wanted === undefined ? freeName(taken) : nameOf(wanted)
      if (taken.has(name))
        throw new ControlError('conflict', `There is already a snapshot ${name}: delete it or choose another name.`)
      const [now, { rate }] = [clock.now(organizationId), clock.setting(organizationId)]
      const state = await store.organizationState(organizationId, createSnapshotLimit())
      return save(organizationId, name, await createSnapshotDocument({ organization, state, now, rate }))
    },

    /** The JSON text of a snapshot. */
    document: async (organizationId: string, name: string): Promise<string> =>
      (await requireSnapshot(organizationId, name)).document,

    /** Imports a snapshot document, replacing a snapshot of that name. */
    put: async (organization: Organization, name: string, value: unknown) =>
      save(organization.organizationId, nameOf(name), await serializeSnapshot(await validated(value, organization))),

    /** Replaces the current state and clock by those of a snapshot; returns the clock's time. */
    restore: async (organization: Organization, name: string): Promise<number> => {
      const { organizationId } = organization
      const { document } = await requireSnapshot(organizationId, name)
      const {
        takenAt,
        clock: then,
        tables,
        capabilities,
      } = await validated(await parseSnapshotText(document), organization)
      const at = parseInstant(takenAt)
      const setIdentityBack = async (from: number): Promise<void> => {
        if (at < from) await tokens.setBack(organizationId, at)
        await keyRotation.clamp(organizationId, at)
      }
      await setIdentityBack(clock.now(organizationId)) // before too, as a crash may follow the change
      await jobs.endRuns(organizationId)
      const [before, now] = [clock.setting(organizationId), clock.now(organizationId)]
      // Rows and clock change together: no call sees one without the other.
      const setting = clock.adjust(organizationId, { at, rate: then.rate })
      try {
        if (!(await store.replaceOrganizationState(organizationId, name, { tables, capabilities }, setting)))
          throw new ControlError(
            'conflict',
            'Payments of this snapshot belong to another organization here: let whoever may reset or remove that one do so first.',
          )
      } catch (error) {
        clock.set(organizationId, before)
        throw error
      }
      await setIdentityBack(now)
      onChange(organizationId)
      await jobs.refresh(organizationId)
      return clock.now(organizationId)
    },

    remove: async (organizationId: string, name: string): Promise<void> => {
      if (await store.deleteSnapshot(organizationId, name)) return
      await requireSnapshot(organizationId, name)
    },
  }
}

const nameOf = (name: string): string => {
  if (NAME.test(name)) return name
  throw new ControlError(
    'invalid',
    'The name of a snapshot is 1 to 63 letters, digits, dots, hyphens and underscores, and begins with a letter or digit.',
  )
}

const freeName = (taken: ReadonlySet<string>): string => {
  let number = 1
  while (taken.has(`snapshot-${number}`)) number += 1
  return `snapshot-${number}`
}
