import type { OperationName } from '../operations.ts'
import type { AcceptedDialect } from '../protocol/match-signature-dialect.ts'
import { type DecisionChoices, decisionChoices } from './decision-choices.ts'
import type { DialectLines } from './dialect-lines.ts'
import { type IdForm, SAME_IDS, UUIDS_AS_NUMBERS } from './numeric-ids.ts'
import { type AddressTable, createAddressTable } from './operation-path-table.ts'
import { signatureHeaderNames, writeHeaders } from './rename-signature-headers.ts'
import { createRequestLens, type RequestLens } from './request-lens.ts'
import { createResponseLens, type ResponseLens } from './response-lens.ts'
import { secretMemberNames } from './secret-member-names.ts'

type Lenses = {
  requests: RequestLens
  responses: ResponseLens
  /** Names other than ours of the members that hold the token of a mandate, which nobody may show. */
  secretNames: readonly string[]
}

/** The dialect of a deployment, as the simulator speaks it at its edge. */
export type Dialect = {
  /** Name for messages and pages. */
  name: string
  lines: DialectLines
  choices: DecisionChoices
  addresses: AddressTable
  /** How the service's ids, which are UUIDs, are written on the wire. */
  ids: IdForm
  /** How requests and responses are translated; undefined where every message has the document's form. */
  lenses?: Lenses
}

/** Lines that change neither the target nor the body of a message. */
const OUTSIDE_MESSAGES = [
  'name',
  'basePath',
  'decisions',
  'dialect',
  'responses',
  'headers',
  'keySet',
  'success',
  'webhooks',
  'limits',
] as const

/** Creates the dialect of profile lines; without lines it is our own. The service's ids are UUIDs. */
export const createDialect = (lines: DialectLines = {}): Dialect => {
  const ids: IdForm = lines.ids?.transactionId === 'number' ? UUIDS_AS_NUMBERS : SAME_IDS
  const isSpoken = Object.keys(lines).some(name => !OUTSIDE_MESSAGES.some(outside => outside === name))
  return {
    name: lines.name ?? 'our own',
    lines,
    choices: decisionChoices(lines.decisions),
    addresses: createAddressTable(lines.paths, lines.basePath),
    ids,
    ...(isSpoken && { lenses: createLenses(lines, ids) }),
  }
}

const PAYMENT_TOKEN = 'payerDetails.paymentToken'

const createLenses = (lines: DialectLines, ids: IdForm): Lenses => {
  const lenses = { requests: createRequestLens(lines, ids), responses: createResponseLens(lines, ids) }
  return { ...lenses, secretNames: secretMemberNames(lines, [PAYMENT_TOKEN], lenses) }
}

/** Returns what a service of this dialect accepts of a request's signature; undefined where no line says so. */
export const acceptedOfRequests = ({ lines: { dialect } }: Dialect): AcceptedDialect | undefined =>
  dialect && {
    readings: [dialect.reading ?? 'literal'],
    encodings: [dialect.encoding ?? 'der'],
    port: dialect.port ?? 'dropped',
    ...(dialect.order && { order: dialect.order }),
  }

/** Returns the HTTP status of a success of an operation: the first of its line, else 200. */
export const successStatus = ({ lines: { success } }: Dialect, operation: OperationName): number =>
  success?.[operation]?.[0] ?? 200

/** Writes the body of a webhook in a deployment's dialect. */
export const writeWebhook = ({ lenses }: Dialect, body: object): unknown =>
  lenses ? lenses.responses.write('webhook', body) : body

/** Renames the signature headers of a response or webhook as a deployment's dialect names them. */
export const nameHeaders = ({ lines }: Dialect, headers: Record<string, string>): Record<string, string> =>
  lines.headers ? writeHeaders(headers, signatureHeaderNames(lines)) : headers
