import { OPERATION_NAMES, operationAddress } from '../../operations.ts'
import type { JsonObject } from '../../protocol/canonical-json.ts'
import type { SwitchedDecision } from '../decision-choices.ts'
import type { DialectLines, FaultName } from '../dialect-lines.ts'
import { listOf } from '../openapi/message-schema.ts'
import { createSpokenContext, type OpenApiObject, type SpokenContext } from '../openapi/spoken-context.ts'
import { constantsOf } from '../request-lens.ts'
import { SIGNATURE_ASPECTS, type SignatureAspect, signatureSentence } from '../signature-aspects.ts'
import { namingChange, refusalMoves, requestMoves, responseMoves } from './compare-members.ts'

/** What a merchant's code must change under one topic, a sentence each. */
export type DialectDifference = { topic: string; sentences: readonly string[] }

/** The meaning of a decision's value, as the table of decisions has it. */
export type MeaningOf = (number: string, value: string) => string

type Compare = (from: SpokenContext, to: SpokenContext, meaningOf: MeaningOf) => string[]

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

const json = (value: unknown): string => JSON.stringify(value)

/** Sentences for the names whose values differ. */
const changed = <Name extends string>(
  names: readonly Name[],
  [from, to]: readonly [(name: Name) => string, (name: Name) => string],
  sentence: (name: Name, to: string, from: string) => string,
): string[] => names.flatMap(name => (from(name) === to(name) ? [] : [sentence(name, to(name), from(name))]))

const addresses: Compare = (from, to) => {
  const addressIn =
    ({ lines }: SpokenContext) =>
    (name: (typeof OPERATION_NAMES)[number]) => {
      const { method, path } = operationAddress(name, lines.paths)
      return `${method} ${path}`
    }
  return changed(
    OPERATION_NAMES,
    [addressIn(from), addressIn(to)],
    (name, now, old) => `${name}: call ${now} instead of ${old}.`,
  )
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

/** The document's words of each member that a dialect may name otherwise. */
const wordsOf = ({ document, lines: { enums = {} } }: SpokenContext): [string, string[]][] => {
  const { schemas } = document.components as { schemas: Record<string, JsonObject> }
  const listed = { status: 'Status', transactionType: 'TransactionType', state: 'LifecycleState' }
  const known = Object.entries(listed).map(([name, schema]): [string, string[]] => [
    name,
    listOf(schemas[schema]?.enum) as string[],
  ])
  return [...known, ...Object.entries(enums).map(([name, words]): [string, string[]] => [name, Object.keys(words)])]
}

const words: Compare = (from, to) => {
  const all = [...wordsOf(from), ...wordsOf(to)].flatMap(([name, list]) => list.map(word => `${name}\n${word}`))
  const wordIn =
    ({ placesOf }: SpokenContext) =>
    (key: string) => {
      const [name = '', word] = key.split('\n')
      return json(placesOf.response('status').values.write(name, word))
    }
  return changed([...new Set(all)], [wordIn(from), wordIn(to)], (key, now, old) => {
    const [name, word] = key.split('\n')
    return `${name}: ${word} is ${now} instead of ${old}.`
  })
}

// biome-ignore format: a table reads by its columns
const FORMS: readonly (readonly [what: string, of: (lines: DialectLines) => string, means: Readonly<Record<string, string>>])[] = [
  ['amounts', ({ forms }) => forms?.amounts ?? 'minor', { minor: 'whole numbers of minor units', 'minor-text': 'minor units as text', major: 'numbers of major units', 'major-text': 'major units as text' }],
  ['times', ({ forms }) => forms?.times ?? 'iso', { iso: 'ISO 8601 texts', epoch: 'UNIX seconds', 'epoch-ms': 'UNIX milliseconds' }],
  ['reason codes', ({ forms }) => forms?.reasonCodes ?? 'text', { text: 'texts', number: 'numbers' }],
  ['payment ids', ({ ids }) => ids?.transactionId ?? 'text', { text: 'texts', number: 'numbers of any size' }],
]

const forms: Compare = (from, to) =>
  FORMS.flatMap(([what, of, means]) => {
    const [old, now] = [of(from.lines), of(to.lines)]
    return old === now ? [] : [`${what}: ${means[now]} instead of ${means[old]}.`]
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
  'members of responses': responseMoves,
  words,
  'forms of values': forms,
  'statuses of success': statuses,
  refusals: (from, to, meaningOf) => [...refusalMoves(from, to), ...declined(from, to, meaningOf)],
  'faults of mocks': faults,
  headers,
  'signatures of requests': signatures('requests'),
  'signatures of responses': signatures('responses'),
  webhooks: signatures('webhooks'),
  'key set': signatures('key set'),
  decisions,
}
