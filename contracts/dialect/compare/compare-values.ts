import type { JsonObject } from '../../protocol/canonical-json.ts'
import type { DialectLines } from '../dialect-lines.ts'
import { listOf } from '../openapi/message-schema.ts'
import type { SpokenContext } from '../openapi/spoken-context.ts'
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
export const words: Compare = (from, to) => {
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
