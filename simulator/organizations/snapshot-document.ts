import { createHash } from 'node:crypto'
import { canonicalJson } from '../../contracts/protocol/canonical-json.ts'
import type { OrganizationState, TableRows } from '../store/organization-state-store.ts'
import type { Organization } from '../store/organization-store.ts'
import { isoTime, LAST_INSTANT, parseInstant } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { MAX_CLOCK_RATE } from './clock-control.ts'
import { rewriteSnapshotOwner } from './rewrite-snapshot-owner.ts'

/** A snapshot as JSON: state and clock of an organization with a digest; a changed document is refused. */
export type SnapshotDocument = {
  format: typeof FORMAT
  organizationId: string
  processingAccountIds: readonly string[]
  /** ISO 8601, on the organization's clock. */
  takenAt: string
  clock: { rate: number }
  capabilities: OrganizationState['capabilities']
  tables: OrganizationState['tables']
  /** SHA-256 over the canonical JSON of all other members, base64url. */
  digest: string
}

const FORMAT = 'assay-snapshot-2'
const MAX_BYTES = 64 * 1024 * 1024

type SnapshotContent = { organization: Organization; state: OrganizationState; now: number; rate: number }

/** Creates the snapshot document of an organization's state. */
export const createSnapshotDocument = ({ organization, state, now, rate }: SnapshotContent): SnapshotDocument => {
  const content = {
    format: FORMAT,
    organizationId: organization.organizationId,
    processingAccountIds: organization.accountIds,
    takenAt: isoTime(now),
    clock: { rate },
    ...state,
  } as const
  return { ...content, digest: digestOf(content) }
}

/** Serializes a snapshot document; refuses one that is larger than control accepts (64 MiB). */
export const serializeSnapshotDocument = (document: SnapshotDocument): string => {
  const text = JSON.stringify(document)
  if (Buffer.byteLength(text) <= MAX_BYTES) return text
  throw new ControlError(
    'conflict',
    `This state takes more than ${MAX_BYTES / 2 ** 20} MiB, which is all that a snapshot holds: take it earlier, or reset first.`,
  )
}

/** Rewrites another organization's snapshot document for this organization; throws where the two do not fit. */
export const adoptSnapshotDocument = (document: SnapshotDocument, organization: Organization): SnapshotDocument => {
  const state = rewriteSnapshotOwner(document, organization)
  const { organizationId, accountIds: processingAccountIds } = organization
  if (state === document) return document
  const { digest: _, ...content } = { ...document, ...state, organizationId, processingAccountIds }
  return { ...content, digest: digestOf(content) }
}

/** Creates the error for a document that is no valid snapshot. */
export const invalidSnapshot = (why: string): ControlError =>
  new ControlError('invalid', `This is no snapshot that could be restored: ${why}.`)

/** Validates format, digest and shape of a snapshot document; its rows are validated by the store. */
export const readSnapshotDocument = (value: unknown): SnapshotDocument => {
  if (!isObject(value) || value.format !== FORMAT)
    throw invalidSnapshot(
      `its format is ${JSON.stringify(isObject(value) ? value.format : value)?.slice(0, 40)}, not "${FORMAT}"`,
    )
  const { digest, ...content } = value
  if (digest !== digestOf(content))
    throw invalidSnapshot('it was changed since it was taken, so its digest does not fit')
  const { organizationId, processingAccountIds, takenAt, clock, tables } = content
  if (typeof organizationId !== 'string' || !isListOf(processingAccountIds, isText))
    throw invalidSnapshot('it does not name its organization')
  if (!isText(takenAt) || !isShownByClocks(parseInstant(takenAt)))
    throw invalidSnapshot('takenAt is no instant that a clock shows')
  if (!isObject(clock) || !isRate(clock.rate)) throw invalidSnapshot('clock has no rate')
  if (!isObject(tables) || !Object.values(tables).every(isTable))
    throw invalidSnapshot('tables is not made of columns and rows')
  return value as SnapshotDocument
}

const digestOf = (content: object): string => createHash('sha256').update(canonicalJson(content)).digest('base64url')

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isRate = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= MAX_CLOCK_RATE
const isShownByClocks = (instant: number): boolean => instant >= 0 && instant <= LAST_INSTANT
const isCell = (value: unknown): boolean => value === null || typeof value === 'string' || typeof value === 'number'
const isListOf = <Item>(value: unknown, is: (item: unknown) => item is Item): value is Item[] =>
  Array.isArray(value) && value.every(is)
const isTable = (value: unknown): value is TableRows =>
  isObject(value) &&
  isListOf(value.columns, isText) &&
  Array.isArray(value.rows) &&
  value.rows.every(row => Array.isArray(row) && row.every(isCell))
