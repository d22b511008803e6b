import { createHash } from 'node:crypto'
import { canonicalJson } from '../../contracts/protocol/canonical-json.ts'
import { END_OF_TIME, instantOf, isoTime } from '../clock.ts'
import type { Life, Organization, TableRows } from '../store/port.ts'
import { FASTEST } from './clock-control.ts'
import { OperatorError } from './operator-error.ts'
import { movedTo } from './snapshot-move.ts'

/** A state that can travel: what happened to an organization, and what time it was there. Whole and unchanged, or refused. */
export type SnapshotDocument = {
  format: typeof FORMAT
  organizationId: string
  processingAccountIds: readonly string[]
  /** ISO 8601, on the organization's clock. */
  takenAt: string
  clock: { rate: number }
  capabilities: Life['capabilities']
  tables: Life['tables']
  /** SHA-256 over all the others. */
  digest: string
}

const FORMAT = 'assay-snapshot-1'
const MOST_BYTES = 64 * 1024 * 1024

type Taken = { organization: Organization; life: Life; now: number; rate: number }

export const documentOf = ({ organization, life, now, rate }: Taken): SnapshotDocument => {
  const content = {
    format: FORMAT,
    organizationId: organization.organizationId,
    processingAccountIds: organization.accountIds,
    takenAt: isoTime(now),
    clock: { rate },
    ...life,
  } as const
  return { ...content, digest: digestOf(content) }
}

/** A document as text, if it is not too large to come back by the way on which documents come. */
export const textOf = (document: SnapshotDocument): string => {
  const text = JSON.stringify(document)
  if (Buffer.byteLength(text) <= MOST_BYTES) return text
  throw new OperatorError(
    'conflict',
    `This state takes more than ${MOST_BYTES / 2 ** 20} MiB, which is all that a snapshot holds: take it earlier, or reset first.`,
  )
}

/** Makes what came from elsewhere the state of this organization, where it can be that. */
export const adopt = (document: SnapshotDocument, organization: Organization): SnapshotDocument => {
  const life = movedTo(document, organization)
  const { organizationId, accountIds: processingAccountIds } = organization
  if (life === document) return document
  const { digest: _, ...content } = { ...document, ...life, organizationId, processingAccountIds }
  return { ...content, digest: digestOf(content) }
}

export const unfit = (why: string): OperatorError =>
  new OperatorError('invalid', `This is no snapshot that could be restored: ${why}.`)

/** Reads what came from elsewhere; what its rows hold is for the store to judge. */
export const checked = (value: unknown): SnapshotDocument => {
  if (!isObject(value) || value.format !== FORMAT)
    throw unfit(
      `its format is ${JSON.stringify(isObject(value) ? value.format : value)?.slice(0, 40)}, not "${FORMAT}"`,
    )
  const { digest, ...content } = value
  if (digest !== digestOf(content)) throw unfit('it was changed since it was taken, so its digest does not fit')
  const { organizationId, processingAccountIds, takenAt, clock, tables } = content
  if (typeof organizationId !== 'string' || !isListOf(processingAccountIds, isText))
    throw unfit('it does not tell whose it is')
  if (!isText(takenAt) || !isShownByClocks(instantOf(takenAt))) throw unfit('takenAt is no instant that a clock shows')
  if (!isObject(clock) || !isRate(clock.rate)) throw unfit('clock has no rate')
  if (!isObject(tables) || !Object.values(tables).every(isTable)) throw unfit('tables is not made of columns and rows')
  return value as SnapshotDocument
}

const digestOf = (content: object): string => createHash('sha256').update(canonicalJson(content)).digest('base64url')

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isRate = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= FASTEST
const isShownByClocks = (instant: number): boolean => instant >= 0 && instant <= END_OF_TIME
const isCell = (value: unknown): boolean => value === null || typeof value === 'string' || typeof value === 'number'
const isListOf = <Item>(value: unknown, is: (item: unknown) => item is Item): value is Item[] =>
  Array.isArray(value) && value.every(is)
const isTable = (value: unknown): value is TableRows =>
  isObject(value) &&
  isListOf(value.columns, isText) &&
  Array.isArray(value.rows) &&
  value.rows.every(row => Array.isArray(row) && row.every(isCell))
