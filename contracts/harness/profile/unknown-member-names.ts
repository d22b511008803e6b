import { OPERATIONS, type OperationName } from '../../operations.ts'
import { findNearestMember } from '../../schema/nearest-known-request-member.ts'
import { readRequestMembers } from '../../schema/read-openapi-schemas.ts'

/** An error of a profile: the keys that lead to it, and a sentence without its period. */
export type ProfileIssue = { path: string[]; message: string }

type Lines = Readonly<Partial<Record<string, Readonly<Record<string, unknown>>>>>

/** The parts of a profile that name members of our messages. */
export type MemberLines = {
  requests?: Lines & { without?: Readonly<Record<string, readonly string[]>> }
  members?: Lines
}

/** What requests of the checks have beside openapi.yaml (IRS-06), and what it reads at the top of a request only (D-02). */
const SENT_TOO = 'validitySeconds'
const ONLY_READ = 'autoCapture'

/** Schemas of openapi.yaml that together have every member of a response, a refusal or a webhook. */
const RESPONSES = [
  ...['FinalizeResponse', 'CaptureResponse', 'EventsResponse', 'SearchResponse', 'ProvidersResponse'],
  ...['ReportsResponse', 'Notification', 'Refusal'],
]

/** Finds names of `requests`, its `without`, and `members` that our messages do not have: such lines have no effect. */
export const unknownMemberNames = ({ requests, members = {} }: MemberLines): ProfileIssue[] => {
  const { always: _, without = {}, ...places } = requests ?? {}
  const { downloadReport: __, ...responses } = members // has columns of files
  return [
    ...Object.entries(places).flatMap(([operation, lines = {}]) =>
      findUnknown(['requests', operation], Object.keys(lines), requestSchemas(operation)),
    ),
    ...Object.entries(without).flatMap(([operation, names]) =>
      findUnknown(['requests', 'without', operation], names, requestSchemas(operation)),
    ),
    ...Object.entries(responses).flatMap(([message, lines = {}]) =>
      findUnknown(
        ['members', message],
        Object.keys(lines).filter(name => name !== ''), // the whole message
        RESPONSES,
      ),
    ),
  ]
}

const requestSchemas = (operation: string): string[] => {
  const operations = operation === 'all' ? Object.values(OPERATIONS) : [OPERATIONS[operation as OperationName]]
  return operations.flatMap(({ schema }) => schema ?? [])
}

const findUnknown = (at: readonly string[], names: readonly string[], schemas: readonly string[]): ProfileIssue[] => {
  const members = readRequestMembers()
  const known = schemas.flatMap(schema => members.known(schema)).filter(name => name !== ONLY_READ)
  const has = (name: string): boolean =>
    name === SENT_TOO || known.includes(name) || (name !== ONLY_READ && schemas.some(schema => isFree(schema, name)))
  const kind = at[0] === 'members' ? 'responses' : 'requests'
  return names
    .filter(name => !has(name))
    .map(name => {
      const path = [...at, name]
      const nearest = findNearestMember(name, known)
      const cure = nearest === undefined ? 'contracts/openapi.yaml has the names' : `write ${nearest} instead`
      return { path, message: `${path.join('.')} is no member of our ${kind}: ${cure}` }
    })
}

/** Whether a name lies in a free-form object of a schema, such as metadata. */
const isFree = (schema: string, name: string): boolean => {
  const nested = name.split('.').reduceRight<unknown>((inner, segment) => ({ [segment]: inner }), null)
  return readRequestMembers().unknown(schema, nested).length === 0
}
