import { OPERATION_NAMES, operationAddress } from '../../operations.ts'
import type { MeaningOf, SwitchedDecision } from '../decision-choices.ts'
import type { DialectLines, FaultName } from '../dialect-lines.ts'
import { createSpokenContext, type OpenApiObject, type SpokenContext } from '../openapi/spoken-context.ts'
import { constantsOf } from '../request-lens.ts'
import { SIGNATURE_ASPECTS, type SignatureAspect, signatureSentence } from '../signature-aspects.ts'
import { columnNames, namingChange, refusalMoves, requestMoves, responseMoves } from './compare-members.ts'
import { forms, limits, words } from './compare-values.ts'
import { type Compare, changed, json } from './topic-comparison.ts'

/** What a merchant's code must change between two dialects under one topic, a sentence each. */
export type DialectDifference = { topic: string; sentences: readonly string[] }

/** Compares two dialects: what a merchant's code must change to go from the first to the second. */
export const compareDialects = (
  from: DialectLines,
  to: DialectLines,
  document: OpenApiObject,
  meaningOf: MeaningOf,
): DialectDifference[] => {
  const [one, other] = [createSpokenContext(from, document), createSpokenContext(to, document)]
  return Object.entries(TOPICS)
    .map(([topic, compare]) => ({ topic, sentences: compare(one, other, meaningOf) }))
    .filter(({ sentences }) => sentences.length > 0)
}

const addresses: Compare = (from, to) => {
  const addressIn =
    ({ lines }: SpokenContext) =>
    (name: (typeof OPERATION_NAMES)[number]) => {
      const { method, path } = operationAddress(name, lines.paths)
      return `${method} ${path}`
    }
  const baseIn =
    ({ lines }: SpokenContext) =>
    () =>
      lines.basePath ?? 'nothing'
  return [
    ...changed(
      ['base'],
      [baseIn(from), baseIn(to)],
      (_, now, old) => `Every path has ${now} before it instead of ${old}.`,
    ),
    ...changed(
      OPERATION_NAMES,
      [addressIn(from), addressIn(to)],
      (name, now, old) => `${name}: call ${now} instead of ${old}.`,
    ),
  ]
}

const constants: Compare = (from, to) =>
  OPERATION_NAMES.flatMap(name => {
    const [old, now] = [from, to].map(({ lines }) => new Map(constantsOf(lines, name)))
    const places = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])]
    return places.flatMap(place => {
      if (json(old?.get(place)) === json(now?.get(place))) return []
      return now?.has(place)
        ? [`${name}: write the constant ${json(now.get(place))} at ${place}.`]
        : [`${name}: leave out the constant at ${place}.`]
    })
  })

const statuses: Compare = (from, to) => {
  const statusesIn =
    ({ lines }: SpokenContext) =>
    (name: string) =>
      (lines.success?.[name] ?? ['any 2xx']).join(' or ')
  return changed(
    OPERATION_NAMES,
    [statusesIn(from), statusesIn(to)],
    (name, now, old) => `${name}: success is ${now} instead of ${old}.`,
  )
}

const declined: Compare = (from, to) => {
  const markIn =
    ({ lines: { errors } }: SpokenContext) =>
    () =>
      errors?.declined
        ? `${errors.declined.words.map(json).join(' or ')} at ${errors.declined.at}`
        : '"DECLINED" at /status'
  return changed(
    ['a decline'],
    [markIn(from), markIn(to)],
    (name, now, old) => `${name} in a success is marked by ${now} instead of ${old}.`,
  )
}

/** Places of the code in other forms of refusals than the first. */
const otherCodes: Compare = (from, to) => {
  const placesIn =
    ({ lines: { errors } }: SpokenContext) =>
    () =>
      [errors?.reasonCode ?? []].flat().slice(1).join(' or ') || 'no other place'
  return changed(
    ['statusInfo.reasonCode'],
    [placesIn(from), placesIn(to)],
    (name, now, old) => `${name}: may also stand at ${now} instead of ${old}.`,
  )
}

const HEADERS = { signature: 'Signature', signatureInput: 'Signature-Input', contentDigest: 'Content-Digest' } as const
const HEADER_NAMES = Object.keys(HEADERS) as (keyof typeof HEADERS)[]

const headers: Compare = (from, to) => {
  const nameIn =
    ({ lines }: SpokenContext) =>
    (name: keyof typeof HEADERS) =>
      lines.headers?.[name] ?? HEADERS[name]
  return changed(
    HEADER_NAMES,
    [nameIn(from), nameIn(to)],
    (_, now, old) => `Responses have the header ${now} instead of ${old}.`,
  )
}

const signatures =
  (topic: SignatureAspect['topic']): Compare =>
  (from, to) =>
    SIGNATURE_ASPECTS.filter(aspect => aspect.topic === topic).flatMap(aspect => {
      const [old, now] = [signatureSentence(aspect, from.lines), signatureSentence(aspect, to.lines)]
      if (old === now) return []
      return [now ?? `Accept any form where it was so: ${old}`]
    })

const decisions: Compare = (from, to, meaningOf) => {
  const numbers = Object.keys(to.choices) as SwitchedDecision[]
  const valueIn =
    ({ choices }: SpokenContext) =>
    (number: SwitchedDecision): string =>
      choices[number]
  return changed(
    numbers,
    [valueIn(from), valueIn(to)],
    (number, now, old) => `${number}: ${now} instead of ${old}: ${meaningOf(number, now)}`,
  )
}

/** The words by which a mock makes a capture meet a fault (7.1). */
const faults: Compare = (from, to) => {
  const wordIn =
    ({ lines }: SpokenContext) =>
    (name: FaultName) =>
      json(lines.mocks?.faults?.[name] ?? 'no word')
  return changed(FAULTS, [wordIn(from), wordIn(to)], (name, now, old) => `${name}: ${now} instead of ${old}.`)
}

const FAULTS: readonly FaultName[] = ['internal', 'error', 'timeout', 'locked', 'limited']

/** Every topic, in the order in which a merchant meets them. */
const TOPICS: Readonly<Record<string, Compare>> = {
  addresses,
  'names of members': namingChange,
  'members of requests': requestMoves,
  constants,
  'members of responses': (from, to) => [...responseMoves(from, to), ...columnNames(from, to)],
  words,
  'forms of values': forms,
  'statuses of success': statuses,
  refusals: (from, to, meaningOf) =>
    [refusalMoves, otherCodes, declined].flatMap(compare => compare(from, to, meaningOf)),
  'faults of mocks': faults,
  headers,
  'signatures of requests': signatures('requests'),
  'signatures of responses': signatures('responses'),
  webhooks: signatures('webhooks'),
  'key set': signatures('key set'),
  limits,
  decisions,
}
