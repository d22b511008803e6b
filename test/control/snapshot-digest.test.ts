import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type SnapshotContent, serializeSnapshot } from '../../simulator/organizations/snapshot-document.ts'

const PICTURE = '😀'
/** Characters that are hashed in one turn. */
const SLICE = 2 ** 20

/** Serializes a snapshot with a picture behind so many other characters of its row; returns where that is, and both digests. */
const digestsWith = async (before: number) => {
  const rows = [[`${'x'.repeat(before)}${PICTURE}`]]
  const { text } = await serializeSnapshot({
    format: 'assay-snapshot-2',
    organizationId: 'shop',
    processingAccountIds: [],
    takenAt: '2026-01-01T00:00:00.000Z',
    clock: { rate: 1 },
    capabilities: {},
    tables: { payments: { columns: ['record'], rows } },
  } as unknown as SnapshotContent)
  const canonical = text.replace(/,"digest":"[^"]*"\}$/, '}')
  const wanted = createHash('sha256').update(canonical).digest('base64url')
  return { at: canonical.indexOf(PICTURE), told: JSON.parse(text).digest as string, wanted }
}

test.each([-2, -1, 0, 1])(
  'the digest is SHA-256 also with a character of two units at the end of a slice (%i)',
  async off => {
    const { at: first } = await digestsWith(0)
    const { at, told, wanted } = await digestsWith(SLICE - first + off)
    expect([at, told]).toEqual([SLICE + off, wanted])
  },
)
