import { type Clock, instantOf, isoTime } from '../clock.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Organization, SnapshotRecord, Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'
import { adopt, checked, documentOf, type SnapshotDocument, textOf, unfit } from './snapshot-document.ts'

type Parts = { store: Store; clock: Clock; jobs: Jobs; onChange: (organizationId: string) => void }

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

/** States of an organization, put by to come back to: again and again, here or elsewhere. */
export const createSnapshots = ({ store, clock, jobs, onChange }: Parts) => {
  const known = async (organizationId: string, name: string): Promise<SnapshotRecord> => {
    const snapshot = await store.snapshot(organizationId, name)
    if (snapshot) return snapshot
    throw new OperatorError('unknown', `${organizationId} has no snapshot ${name}: list them to see all.`)
  }

  const keep = async (organizationId: string, name: string, document: SnapshotDocument) => {
    const text = textOf(document)
    const takenAt = instantOf(document.takenAt)
    const replaced = await store.saveSnapshot(organizationId, { name, takenAt, document: text })
    return { name, takenAt: document.takenAt, bytes: Buffer.byteLength(text), replaced }
  }

  const fitting = async (value: unknown, organization: Organization): Promise<SnapshotDocument> => {
    const document = checked(value)
    const reason = await store.unfitLife(document.organizationId, document)
    if (reason !== undefined) throw unfit(reason)
    return adopt(document, organization)
  }

  return {
    list: async (organizationId: string) =>
      (await store.snapshots(organizationId)).map(({ name, takenAt, bytes }) => ({
        name,
        takenAt: isoTime(takenAt),
        bytes,
      })),

    /** Puts the present by; without a name it gets the first free number. */
    take: async (organization: Organization, wanted?: string) => {
      const { organizationId } = organization
      const taken = new Set((await store.snapshots(organizationId)).map(({ name }) => name))
      const name = wanted === undefined ? freeName(taken) : nameOf(wanted)
      if (taken.has(name))
        throw new OperatorError('conflict', `There is already a snapshot ${name}: delete it or choose another name.`)
      const [now, { rate }] = [clock.now(organizationId), clock.setting(organizationId)]
      const life = await store.life(organizationId)
      return keep(organizationId, name, documentOf({ organization, life, now, rate }))
    },

    document: async (organizationId: string, name: string): Promise<string> =>
      (await known(organizationId, name)).document,

    /** Takes in a document from elsewhere, in the place of one of that name. */
    put: async (organization: Organization, name: string, value: unknown) =>
      keep(organization.organizationId, nameOf(name), await fitting(value, organization)),

    /** The present is gone, and all is as it was, the clock included. */
    restore: async (organization: Organization, name: string): Promise<number> => {
      const { organizationId } = organization
      const { document } = await known(organizationId, name)
      const { takenAt, clock: then, tables, capabilities } = await fitting(JSON.parse(document), organization)
      const before = clock.setting(organizationId)
      // Rows and clock change before any call can look.
      const setting = clock.goOn(organizationId, { at: instantOf(takenAt), rate: then.rate })
      const done = await store.replaceLife(organizationId, { tables, capabilities }, setting)
      if (!done) {
        clock.set(organizationId, before)
        throw new OperatorError(
          'conflict',
          'Payments of this snapshot belong to another organization here: remove or reset that one first.',
        )
      }
      onChange(organizationId)
      await jobs.refresh(organizationId)
      return clock.now(organizationId)
    },

    drop: async (organizationId: string, name: string): Promise<void> => {
      if (await store.dropSnapshot(organizationId, name)) return
      await known(organizationId, name)
    },
  }
}

const nameOf = (name: string): string => {
  if (NAME.test(name)) return name
  throw new OperatorError(
    'invalid',
    'The name of a snapshot is 1 to 63 letters, digits, dots, hyphens and underscores, and begins with a letter or digit.',
  )
}

const freeName = (taken: ReadonlySet<string>): string => {
  let number = taken.size + 1
  while (taken.has(`snapshot-${number}`)) number += 1
  return `snapshot-${number}`
}
