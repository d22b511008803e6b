import type { JsonObject } from '../../protocol/canonical-json.ts'
import type { DialectLines } from '../dialect-lines.ts'
import { listOf } from '../openapi/message-schema.ts'
import type { SpokenContext } from '../openapi/spoken-context.ts'
import { wordsOnlyRead } from '../state-words.ts'
import { type Compare, changed, json } from './topic-comparison.ts'

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

/** Compares the words that two dialects have for member values and states; returns a sentence for each difference. */
export const words: Compare = (from, to) => [...writtenWords(from, to), ...otherWords(from, to)]

/** Further words by which a stage is told. */
const otherWords = (from: SpokenContext, to: SpokenContext): string[] => {
  const stages = new Set([from, to].flatMap(({ lines }) => Object.keys(lines.states ?? {})))
  const wordsIn =
    ({ lines }: SpokenContext) =>
    (stage: string) =>
      wordsOnlyRead(lines, stage).map(json).join(' or ') || 'no other word'
  return changed(
    [...stages],
    [wordsIn(from), wordsIn(to)],
    (stage, now, old) => `${stage}: also told as ${now} instead of ${old}.`,
  )
}

const writtenWords = (from: SpokenContext, to: SpokenContext): string[] => {
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

/**
 * Compares the forms of amounts, times, reason codes and ids in two dialects; returns a sentence for each difference.
 */
export const forms: Compare = (from, to) =>
  FORMS.flatMap(([what, of, means]) => {
    const [old, now] = [of(from.lines), of(to.lines)]
    return old === now ? [] : [`${what}: ${means[now]} instead of ${means[old]}.`]
  })

const LIMITS: Readonly<Record<keyof NonNullable<DialectLines['limits']>, string>> = {
  bodyBytes: 'bytes of a body',
  callsPerSecond: 'calls per second',
  holdSeconds: 'seconds that an authorization is held',
  consentSeconds: 'seconds that a consent waits for finalize, 0 for no end',
  pollSeconds: 'seconds between two reads of a status',
}

/** Compares the limits of two dialects; returns a sentence for each difference. */
export const limits: Compare = (from, to) => {
  const limitIn =
    ({ lines }: SpokenContext) =>
    (name: keyof typeof LIMITS) =>
      String(lines.limits?.[name] ?? 'no line')
  return changed(
    Object.keys(LIMITS) as (keyof typeof LIMITS)[],
    [limitIn(from), limitIn(to)],
    (name, now, old) => `${name}: ${now} instead of ${old} (${LIMITS[name]}).`,
  )
}
