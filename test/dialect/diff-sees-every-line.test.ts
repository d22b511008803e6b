import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { compareDialects } from '../../contracts/dialect/compare/compare-dialects.ts'
import { switchableDecisions, switchValues } from '../../contracts/dialect/decision-choices.ts'
import { DIALECT_LINES } from '../../contracts/dialect/dialect-lines.ts'
import { createResolver, readMessageSchema } from '../../contracts/dialect/openapi/message-schema.ts'
import { jsonOf } from '../../contracts/dialect/openapi/spoken-request.ts'
import { readOwnDocument } from '../../contracts/dialect-commands/read-contract-openapi.ts'
import schema from '../../contracts/harness/profile/profile.schema.json' with { type: 'json' }
import { parseDialectLines } from '../../contracts/harness/profile/read-profile.ts'
import { OPERATIONS, type OperationName } from '../../contracts/operations.ts'
import { meaningOfChoice } from '../../contracts/read-decisions-table.ts'

/** Lines that no merchant's code goes by. */
const EXEMPT: Readonly<Record<string, string>> = {
  name: 'the name of the dialect itself',
  'ids.unknownTransactionId': 'an id that checks ask for in vain',
  'webhooks.receiver': 'where checks receive webhooks',
  'webhooks.public': 'where checks receive webhooks',
  'webhooks.command': 'how checks fetch webhooks',
  'webhooks.secret': 'a reference to the secret of checks',
}

type Node = { $ref?: string; enum?: unknown[]; type?: string; properties?: Record<string, Node> }
/** Two values of a line which differ for a merchant; undefined is no line. */
type Case = readonly [line: string, one: unknown, other: unknown]

const OWN = readOwnDocument()
/** The first and the last member of a message and the first of an object in it: comparing takes its time. */
const membersOf = (written: unknown): string[] => {
  const all = readMessageSchema(written, createResolver(OWN)).members.map(({ path }) => path)
  return [...new Set([all.at(0), all.find(path => path.includes('.')), all.at(-1)])].filter(path => path !== undefined)
}
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const lastOf = (line: string): string => line.slice(line.lastIndexOf('.') + 1)

/** The document's names of the members of a response, of webhooks and of refusals; the empty one is the whole message. */
const responseMembers = (message: string): string[] => {
  if (message === 'all') return ['', 'transactionId']
  if (message === 'downloadReport') return ['grossAmount']
  const operations = Object.values(OWN.paths as object).flatMap(methods => Object.values(methods as object))
  const { responses } = operations.find(({ operationId }) => operationId === message) ?? {}
  const written = { webhook: named('Notification'), refusal: named('Refusal') }[message]
  const members = membersOf(written ?? jsonOf(responses?.['200']).schema)
  return members.length === 0 ? [] : ['', ...members]
}

/** The document's names of the members of a request; autoCapture at its top is a member that only services read (D-02). */
const requestMembers = (operation: string): string[] =>
  membersOf(named(OPERATIONS[operation as OperationName]?.schema ?? 'CaptureRequest')).filter(
    name => name !== 'autoCapture',
  )

/** Each value with the one before it, and the first with no line. */
const steps = (line: string, ...values: unknown[]): Case[] =>
  values.map((value, index): Case => [line, values[index - 1], value])

const inPath = (line: string): string => {
  const { path } = OPERATIONS[lastOf(line) as OperationName]
  return path.includes('{') ? '/{transactionId}' : ''
}

/** Values of the lines that have none below them, by the definition in the schema. */
// biome-ignore format: a table reads by its columns
const SAMPLES: Readonly<Record<string, (line: string) => Case[]>> = {
  pointer:         line => steps(line, '/some/where', '/else/where', ...(line.startsWith('fields.') ? ['/some/1/where', '/some/2/where', '/some/where'] : [])),
  listPointer:     line => steps(line, '/some/where', '/else/where'),
  path:            line => steps(line, `/a${inPath(line)}`, `/b${inPath(line)}`),
  pathOrQuery:     line => steps(line, '/a', 'GET /a', 'GET /a?b=c'),
  words:           line => steps(line, ['one'], ['two'], ['one', 'two'], ['three', 'two'], ['three', 'one', 'two']),
  successes:       line => steps(line, [201], [200, 201]),
  members:         line => requestMembers(lastOf(line)).map(name => [line, undefined, { [name]: '/some/where' }]),
  responseMembers: line => responseMembers(lastOf(line)).map(name => [line, undefined, { [name]: '/some/where' }]),
  memberNames:     line => requestMembers(lastOf(line)).map(name => [line, undefined, [name]]),
  constants:       line => steps(line, { '/some/where': 'a' }, { '/some/where': 'b' }),
  spellings:       line => steps(line, { PENDING: 'a' }, { PENDING: 'b' }),
}

const casesOf = (line: string, node: Node): Case[] => {
  if (line in EXEMPT) return []
  if (line === 'decisions')
    return switchableDecisions().flatMap(number =>
      steps(`${line}.${number}`, ...(switchValues(number) ?? [])).filter(([, one]) => one !== undefined),
    )
  if (line === 'errors.reasonCode') return steps(line, '/code', ['/code', '/b'], ['/code', '/b', '/c'])
  if (line === 'target.baseUrl') return steps(line, 'https://a.example/one', 'https://a.example/two')
  const samples = SAMPLES[node.$ref?.replace('#/$defs/', '') ?? '']
  if (samples) return samples(line)
  if (node.properties)
    return Object.entries(node.properties).flatMap(([name, inner]) => casesOf(`${line}.${name}`, inner))
  const values = node.enum ?? (node.type === 'boolean' ? [false, true] : undefined)
  if (values) return steps(line, ...values).filter(([, one]) => one !== undefined)
  if (node.type === 'integer') return steps(line, 200, 300)
  return node.type === 'number' ? steps(line, 2, 3) : steps(line, 'one', 'two')
}

/** The lines that a profile must have beside one, by its beginning. */
const BESIDE: readonly (readonly [line: string, beside: string, value: unknown])[] = [
  ['errors.declined.at', 'errors.declined.words', ['NO']],
  ['errors.declined.words', 'errors.declined.at', '/status'],
  ['mocks.faults.', 'mocks.faults.at', '/some/where'],
  ['target.', 'target.environment', 'sandbox'],
]

const linesWith = (line: string, value: unknown) => {
  const profile = {}
  const set = (path: string, leaf: unknown): void => {
    const names = path.split('.')
    const holder = names.slice(0, -1).reduce<Record<string, unknown>>((object, name) => {
      object[name] ??= {}
      return object[name] as Record<string, unknown>
    }, profile)
    holder[lastOf(path)] = leaf
  }
  if (value === undefined) return {}
  for (const [start, beside, leaf] of BESIDE) if (line.startsWith(start)) set(beside, leaf)
  set(line, value)
  return parseDialectLines('lines.yaml', stringify(profile))
}

test.each([...DIALECT_LINES.filter(name => !(name in EXEMPT)), 'target.baseUrl' as const])(
  'diff sees what differs in %s',
  name => {
    const node = name === 'target.baseUrl' ? schema.properties.target.properties.baseUrl : schema.properties[name]
    const cases = casesOf(name, node as Node)
    const unseen = cases.filter(
      ([line, one, other]) =>
        compareDialects(linesWith(line, one), linesWith(line, other), OWN, meaningOfChoice).length === 0,
    )
    expect(cases.length).toBeGreaterThan(0)
    expect(unseen).toEqual([])
  },
)

test.each(Object.keys(EXEMPT))('the exempt line %s is one that a profile may have', line => {
  const node = line.split('.').reduce<Node | undefined>((part, name) => part?.properties?.[name], schema as Node)
  expect(node).toBeDefined()
})
