import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { canonicalJson } from '../../contracts/protocol/canonical-json.ts'
import type { OrganizationState, TableRows } from '../store/organization-state-store.ts'
import type { Organization } from '../store/organization-store.ts'
import { adoptEarlierTables } from '../store/snapshot-validation/adopt-earlier-tables.ts'
import { isoTime, LAST_INSTANT, parseInstant } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { jsonInSlices } from '../support/slices-across-event-loop-turns.ts'
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

/** A snapshot document without its digest. */
export type SnapshotContent = Omit<SnapshotDocument, 'digest'>

const FORMAT = 'assay-snapshot-2'
const MAX_BYTES = 64 * 1024 * 1024
/** Characters of a document that are hashed in one turn of the event loop: 2 ms. */
const HASHED_AT_ONCE = 2 ** 20

/** A snapshot document as JSON text, and its time. */
export type SerializedSnapshot = { text: string; takenAt: string }

type SnapshotSource = { organization: Organization; state: OrganizationState; now: number; rate: number }

/** Creates the snapshot document of an organization's state, as text. */
export const createSnapshotDocument = async ({
  organization,
  state,
  now,
  rate,
}: SnapshotSource): Promise<SerializedSnapshot> => {
  const content = {
    format: FORMAT,
    organizationId: organization.organizationId,
    processingAccountIds: organization.accountIds,
    takenAt: isoTime(now),
    clock: { rate },
    ...state,
  } as const
  return serializeSnapshot(content)
}

const tooLarge = () =>
  new ControlError(
    'conflict',
    `This state takes more than ${MAX_BYTES / 2 ** 20} MiB, which is all that a snapshot holds: take it earlier, or reset first.`,
  )

/** Creates a function that counts the rows of a state as they are read; throws once a snapshot cannot hold them. */
export const createSnapshotLimit = (): ((rows: TableRows['rows']) => void) => {
  let bytes = 0 // at least: without what JSON escapes
  return rows => {
    for (const cell of rows.flat()) bytes += (typeof cell === 'string' ? Buffer.byteLength(cell) + 2 : 1) + 1
    if (bytes > MAX_BYTES) throw tooLarge()
  }
}

/** Serializes the content of a snapshot with its digest; refuses one that is larger than control accepts (64 MiB). */
export const serializeSnapshot = async (content: SnapshotContent): Promise<SerializedSnapshot> => {
  const canonical = await canonicalContent(content)
  const text = `${canonical.slice(0, -1)},"digest":"${await digestOf(canonical)}"}`
  if (Buffer.byteLength(text) <= MAX_BYTES) return { text, takenAt: content.takenAt }
  throw tooLarge()
}

/** Rewrites another organization's snapshot document for this organization; throws where the two do not fit. */
export const adoptSnapshotDocument = async (
  { digest: _, ...document }: SnapshotDocument,
  organization: Organization,
): Promise<SnapshotContent> => {
  const state = await rewriteSnapshotOwner(document, organization)
  const { organizationId, accountIds: processingAccountIds } = organization
  return { ...document, ...state, organizationId, processingAccountIds }
}

/** Creates the error for a document that is no valid snapshot. */
export const invalidSnapshot = (why: string): ControlError =>
  new ControlError('invalid', `This is no snapshot that could be restored: ${why}.`)

/** Validates format, digest and shape of a snapshot document; its rows are validated by the store. */
export const readSnapshotDocument = async (value: unknown): Promise<SnapshotDocument> => {
  if (!isObject(value) || value.format !== FORMAT)
    throw invalidSnapshot(
      `its format is ${JSON.stringify(isObject(value) ? value.format : value)?.slice(0, 40)}, not "${FORMAT}"`,
    )
  const { digest, ...content } = value
  if (digest !== (await digestOf(await canonicalContent(content))))
    throw invalidSnapshot('it was changed since it was taken, so its digest does not fit')
  const { organizationId, processingAccountIds, takenAt, clock, tables } = content
  if (typeof organizationId !== 'string' || !isListOf(processingAccountIds, isText))
    throw invalidSnapshot('it does not name its organization')
  if (!isText(takenAt) || !isShownByClocks(parseInstant(takenAt)))
    throw invalidSnapshot('takenAt is no instant that a clock shows')
  if (!isObject(clock) || !isRate(clock.rate)) throw invalidSnapshot('clock has no rate')
  if (!isObject(tables) || !Object.values(tables).every(isTable))
    throw invalidSnapshot('tables is not made of columns and rows')
  const document = value as SnapshotDocument
  return { ...document, tables: adoptEarlierTables(document.tables) }
}

const digestOf = async (canonical: string): Promise<string> => {
  const hash = createHash('sha256')
  for (let at = 0, end = 0; at < canonical.length; at = end) {
    if (at > 0) await setImmediate()
    end = at + HASHED_AT_ONCE
    if (isHighSurrogate(canonical.charCodeAt(end - 1))) end += 1
    hash.update(canonical.slice(at, end))
  }
  return hash.digest('base64url')
}

/** Whether a UTF-16 unit is the first half of a character. */
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Returns canonical JSON, of which the rows of tables are written slice by slice: theirs is canonical as it is. */
const canonicalContent = async (content: object): Promise<string> => {
  const members: string[] = []
  for (const [name, value] of Object.entries(content).toSorted(byName))
    members.push(`${JSON.stringify(name)}:${name === 'tables' ? await canonicalTables(value) : canonicalJson(value)}`)
  return `{${members.join(',')}}`
}

const canonicalTables = async (tables: unknown): Promise<string> => {
  if (!isObject(tables)) return canonicalJson(tables)
  const members: string[] = []
  for (const [name, table] of Object.entries(tables).toSorted(byName))
    members.push(`${JSON.stringify(name)}:${isTable(table) ? await canonicalTable(table) : canonicalJson(table)}`)
  return `{${members.join(',')}}`
}

const canonicalTable = async ({ columns, rows, ...others }: TableRows): Promise<string> =>
  Object.keys(others).length > 0
    ? canonicalJson({ columns, rows, ...others })
    : `{"columns":${JSON.stringify(columns)},"rows":${await jsonInSlices(rows)}}`

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1)

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
