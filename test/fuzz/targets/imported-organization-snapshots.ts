import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { canonicalJson } from '../../../contracts/protocol/canonical-json.ts'
import { ORGANIZATION_TABLES } from '../../../simulator/store/tables-emptied-by-reset.ts'
import { isTooDeep } from '../../../simulator/support/json-depth.ts'
import { openRawSandbox } from '../../support/raw-request-sandbox.ts'
import { type JsonEdit, jsonEdits, jsonWith } from '../edited-json.ts'
import { type TextEdit, textEdits, textWith } from '../edited-text.ts'
import { reportedErrors } from '../fuzz-fixture.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { type OrganizationClient, organizationClient, populateOrganization } from '../populate-organization.ts'
import { sentenceProblem } from '../response-checks.ts'

/** What is done to the document as a whole, and to what a row says in JSON; a row and a column by number. */
type Input = { edits: JsonEdit[]; cells: Cell[]; to: 'itself' | 'another' }
type Cell = { table: string; row: number; column: number; edits: JsonEdit[]; damage: TextEdit[] }

type Tables = Record<string, { columns: string[]; rows: unknown[][] }>

const VALUES = [
  '9007199254740991',
  '-9007199254740991',
  '"APPROVED"',
  '"nobody"',
  '"2999-01-01T00:00:00.000Z"',
  '"\\u0000"',
]
const deep = fc
  .tuple(jsonEdits(VALUES, ['organization_id', 'record']), fc.array(fc.nat(20), { maxLength: 3 }))
  .map(([edits, further]) => edits.map(edit => ({ ...edit, way: [...edit.way, ...further] })))

const cell = fc.record({
  table: fc.constantFrom(...ORGANIZATION_TABLES.map(([name]) => name)),
  row: fc.nat(9),
  column: fc.nat(14),
  edits: jsonEdits(VALUES),
  damage: fc.oneof({ weight: 9, arbitrary: fc.constant<TextEdit[]>([]) }, textEdits()),
})

/** Fuzz target: imported snapshots with a matching digest; restored to a working organization, or refused. */
export const snapshotDocuments = fuzzTarget<Input>({
  name: 'snapshots',
  sends: 'snapshots with a digest that fits and other members, rows, cells and records',
  inputs: fc.record({
    edits: fc.oneof({ weight: 1, arbitrary: fc.constant<JsonEdit[]>([]) }, deep),
    cells: fc.array(cell, { maxLength: 2 }),
    to: fc.constantFrom('itself', 'itself', 'itself', 'another'),
  }),
  covers: [
    'contracts/schema/*.ts',
    'simulator/organizations/snapshot-registry.ts',
    'simulator/organizations/snapshot-document.ts',
    'simulator/organizations/rewrite-snapshot-owner.ts',
    'simulator/store/tables-emptied-by-reset.ts',
    'simulator/store/snapshot-validation/column-shapes.ts',
    'simulator/store/snapshot-validation/validate-value.ts',
    'simulator/store/snapshot-validation/record-shapes.ts',
    'simulator/store/snapshot-validation/json-schema-builders.ts',
    'simulator/store/snapshot-validation/validate-state.ts',
    'simulator/store/snapshot-validation/validate-rows.ts',
    'simulator/store/sqlite/organization-snapshots.ts',
    'simulator/store/sqlite/organization-table-rows.ts',
  ],
  few: 12,
  open: async fixture => {
    const sandbox = await openRawSandbox({ config: { layers: [], plainPort: 0, webhookTimeout: 300 } })
    fixture.onClose(sandbox.close)
    const { kit } = sandbox.simulator
    const asking = organizationClient(sandbox.simulator, kit.organizationId)
    const another = organizationClient(sandbox.simulator, sandbox.other.kit.organizationId)
    const [account = ''] = kit.processingAccountIds
    await populateOrganization(asking, account)
    await asking.here('POST', 'clock', { freeze: true })
    const document = await taken(asking, 'good')
    const { jobs: _, ...tables } = document.tables // a late answer keeps it where it is
    const movable = { ...document, tables }
    const before = JSON.stringify(document.tables)
    return async ({ edits, cells, to }) => {
      const good = to === 'itself' ? document : movable
      const text = sealed(jsonWith(cells.reduce(withCell, good), edits))
      const { status, body } = await moved(to === 'itself' ? asking : another, text)
      const fault = reportedErrors(sandbox)
      if (fault || status >= 500) return fault ?? `status ${status}: ${JSON.stringify(body)}`
      if (status >= 400)
        return (await present(asking)) === before ? sentenceProblem(body.error) : 'a refusal changed something'
      if (to === 'another') return void (await another.here('POST', 'reset', {}))
      const problem = await used(asking, account)
      const found = reportedErrors(sandbox) ?? problem
      const back = await asking.here('POST', 'snapshots/good/restore', {})
      return found ?? (back.status === 200 ? undefined : `there is no way back: ${JSON.stringify(back.body)}`)
    }
  },
})

type Document = { tables: Tables; clock: object }

/** The present as a document; the name is free again afterwards. */
const taken = async ({ here }: OrganizationClient, name: string): Promise<Document> => {
  const made = await here('POST', 'snapshots', { name })
  if (made.status !== 201) throw new Error(`No snapshot: ${JSON.stringify(made.body)}`)
  return (await here('GET', `snapshots/${name}`)).body
}

const present = async (asking: OrganizationClient): Promise<string> => {
  const { tables } = await taken(asking, 'present')
  await asking.here('DELETE', 'snapshots/present')
  return JSON.stringify(tables)
}

/** A document with another cell: where it holds JSON, that is edited within. */
const withCell = (document: Document, { table, row, column, edits, damage }: Cell): Document => {
  const content = document.tables[table]
  if (!content?.rows.length) return document
  const [y, x] = [row % content.rows.length, column % content.columns.length]
  const was = content.rows[y]?.[x]
  const isJson = typeof was === 'string' && /^[{[]/.test(was)
  const text = jsonWith(isJson ? JSON.parse(was) : was, edits)
  const now = isJson || isTooDeep(text) ? textWith(text, damage) : JSON.parse(text)
  const rows = content.rows.with(y, (content.rows[y] ?? []).with(x, now))
  return { ...document, tables: { ...document.tables, [table]: { ...content, rows } } }
}

/** The text with the digest that fits it; what is nested too deep has none. */
const sealed = (text: string): string => {
  const { digest: _, ...content } = JSON.parse(text)
  if (isTooDeep(text)) return text
  const digest = createHash('sha256').update(canonicalJson(content)).digest('base64url')
  return JSON.stringify({ ...content, digest })
}

const moved = async ({ here }: OrganizationClient, text: string) => {
  const put = await here('PUT', 'snapshots/edited', text)
  return put.status >= 400 ? put : here('POST', 'snapshots/edited/restore', {})
}

const LOOKS = [
  'payments',
  'faults',
  'mocks',
  'webhooks',
  'deliveries',
  'delivery-plans',
  'mandates',
  'inbox',
  'reports',
  'conduct',
  'clock',
]

/** What goes wrong where somebody works with what was restored. */
const used = async ({ here, api }: OrganizationClient, processingAccountId: string): Promise<string | undefined> => {
  const { body } = await here('GET', 'payments')
  const ids: string[] = (body.payments ?? []).map((payment: { transactionId: string }) => payment.transactionId)
  const responses = [
    ...(await Promise.all(LOOKS.map(path => here('GET', path)))),
    ...(await Promise.all(ids.map(id => here('GET', `payments/${encodeURIComponent(id)}/timeline.svg`)))),
    await here('POST', 'clock', { advance: 'PT2H' }),
  ]
  for (const transactionId of ids) {
    for (const path of ['status', 'events']) await api('GET', `payments/${encodeURIComponent(transactionId)}/${path}`)
    for (const path of ['finalize', 'capture', 'refund', 'cancel']) {
      const request = { processingAccountId, clientTransactionId: 'act-2', transactionId }
      await api('POST', `payments/${path}`, { ...request, ...(/re/.test(path) && { paymentDetails: { amount: 1 } }) })
    }
  }
  await api('POST', 'payments/search', { processingAccountId })
  responses.push(await here('POST', 'clock/drain', {}))
  const bad = responses.find(({ status }) => status >= 500)
  return bad && `status ${bad.status}: ${JSON.stringify(bad.body).slice(0, 200)}`
}
