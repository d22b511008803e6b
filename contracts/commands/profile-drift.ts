import { isDeepStrictEqual } from 'node:util'
import { type Exchange, isServed, responseJson } from '../client/http-exchange.ts'
import { compareDialects } from '../dialect/compare/compare-dialects.ts'
import { DIALECT_LINES } from '../dialect/dialect-lines.ts'
import { valueAtPointer, writeMember } from '../dialect/json-pointer.ts'
import type { OpenApiObject } from '../dialect/openapi/spoken-context.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { profileLine } from '../harness/profile/response-fields-and-line-advice.ts'
import { isJsonObject } from '../protocol/canonical-json.ts'
import { type Finding, type ProbeResult, withoutUsual } from '../scout/probe-findings.ts'
import type { RunTarget } from './chosen-profile-and-checks.ts'

/** A profile line with which the deployment does not agree any more. */
export type Drift = Pick<Finding, 'line' | 'evidence'> & { was: unknown; now: unknown }

/** Lines that the probes learn anew; `dialect` stays, as the first signing dialect that a service accepts. */
const LEARNED = [
  ...[
    'responses',
    'headers',
    'keySet',
    'fields',
    'errors',
    'states',
    'ids.transactionId',
    'enums.status',
    'paths.keySet',
    'serviceVersion',
  ],
  ...['D-07', 'D-10', 'D-14', 'D-16', 'D-18', 'D-34', 'D-35', 'D-39', 'D-48'].map(number => `decisions.${number}`),
]

/** Copies a profile without the lines that probes learn. */
export const withoutLearned = (profile: Profile): Profile => {
  const bare = structuredClone(profile) as Record<string, unknown>
  for (const line of LEARNED) {
    const [top = '', inner] = line.split('.')
    const part = bare[top] as Record<string, unknown> | undefined
    if (inner === undefined) delete bare[top]
    else if (part) delete part[inner]
  }
  return bare as Profile
}

/**
 * Finds the profile lines with which newly learned ones do not agree, as far as they change the dialect of the profile.
 */
export const driftsOf = (
  profile: Profile,
  found: readonly Finding[],
  exchanges: readonly Exchange[],
  document: OpenApiObject,
): Drift[] => {
  const leaves = withoutUsual(profile, found).flatMap(leavesOf)
  const isElsewhere = (line: string) => leaves.some(finding => finding.line === line && !agrees(profile, finding))
  const hasOwnStates = isElsewhere('fields.status.state') && showsOwnStates(profile, 'status', exchanges)
  return leaves.flatMap(finding => {
    const { line, value, evidence } = finding
    const was = profileLine(profile, line)
    if (!isOfDialect(line) || agrees(profile, finding) || (hasOwnStates && line.startsWith('states.'))) return []
    if (was === undefined ? isLeftOpen(profile, finding, document) : stillHolds(profile, finding, exchanges)) return []
    return [{ line, was, now: value, evidence }]
  })
}

/** Returns the open lines of the probes that the profile has, and in one sentence those lines that no probe of this tier showed. */
export const openOf = ({ profile, tier }: RunTarget, { found, open }: ProbeResult): string[] => {
  const lineOf = (text: string) => text.slice(0, text.indexOf(':'))
  const told = open.filter(text => profileLine(profile, lineOf(text)) !== undefined)
  const named = [...found.flatMap(leavesOf).map(({ line }) => line), ...told.map(lineOf)]
  const unseen = LEARNED.flatMap(line => leavesOf({ line, value: profileLine(profile, line) }))
    .filter(({ line, value }) => value !== undefined && !named.some(name => `${line}.`.startsWith(`${name}.`)))
    .map(({ line }) => line)
  return unseen.length === 0 ? told : [...told, `${unseen.join(', ')}: no probe of tier ${tier} showed it`]
}

/** A finding for each member of a value that is an object, such as the words of `enums.status`. */
const leavesOf = <Line extends Pick<Finding, 'line' | 'value'>>(finding: Line): Line[] =>
  isJsonObject(finding.value)
    ? Object.entries(finding.value).flatMap(([name, value]) =>
        leavesOf({ ...finding, line: `${finding.line}.${name}`, value }),
      )
    : [finding]

const isOfDialect = (line: string): boolean =>
  [...DIALECT_LINES, 'serviceVersion'].some(name => line === name || line.startsWith(`${name}.`))

/** Whether a line says what was learned: the same, or with more words or places than were seen. */
export const agrees = (profile: Profile, { line, value }: Finding): boolean => {
  const was = profileLine(profile, line)
  if (line.startsWith('headers.')) return String(was).toLowerCase() === String(value).toLowerCase()
  if (!Array.isArray(was)) return isDeepStrictEqual(was, value)
  return [value].flat().every(one => was.some(known => isDeepStrictEqual(known, one)))
}

/** Whether a pointer is as good as the learned one: it shows the same in every response, or states in the words of the profile. */
const stillHolds = (profile: Profile, { line, value }: Finding, exchanges: readonly Exchange[]): boolean => {
  const [top, message = '', name] = line.split('.')
  const was = profileLine(profile, line)
  if (top === 'headers') return hasBothHeaders(exchanges, String(was), String(value))
  if ((top !== 'fields' && top !== 'errors') || typeof was !== 'string' || typeof value !== 'string') return false
  if (name === 'state' && showsOwnStates(profile, message, exchanges)) return true
  const bodies = bodiesOf(exchanges, top === 'fields' ? message : undefined)
  const shown = bodies.filter(body => valueAtPointer(body, value) !== undefined)
  return (
    shown.length > 0 && shown.every(body => isDeepStrictEqual(valueAtPointer(body, was), valueAtPointer(body, value)))
  )
}

const hasBothHeaders = (exchanges: readonly Exchange[], was: string, now: string): boolean =>
  exchanges.every(({ response: { headers = {} } = {} }) => !(now in headers) || was.toLowerCase() in headers)

/** Whether each response of an operation shows one of the profile's words of states where the profile says. */
const showsOwnStates = (profile: Profile, message: string, exchanges: readonly Exchange[]): boolean => {
  const pointer = profileLine(profile, `fields.${message}.state`)
  const words = Object.values(profile.states ?? {}).flat()
  const bodies = bodiesOf(exchanges, message)
  return typeof pointer === 'string' && bodies.every(body => words.includes(String(valueAtPointer(body, pointer))))
}

/** Bodies of the successes of an operation, or of all refusals. */
const bodiesOf = (exchanges: readonly Exchange[], message: string | undefined): unknown[] =>
  exchanges
    .filter(exchange => (message ? exchange.request.endpoint === message && isServed(exchange) : !isServed(exchange)))
    .map(responseJson)

/** Whether a profile without this line leaves open what was learned, or means it anyway. */
const isLeftOpen = (profile: Profile, { line, value }: Finding, document: OpenApiObject): boolean => {
  if (/^(responses|fields|states|errors)\./.test(line)) return true
  const said = structuredClone(profile) as Record<string, unknown>
  writeMember(said, line.split('.'), value)
  return compareDialects(profile, said as Profile, document, () => '').length === 0
}
