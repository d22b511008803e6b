import { jsonOf } from '../client/exchange.ts'
import type { World } from '../suites/world.ts'
import { finding, is, isWord, type Learned, leavesOf, listsOf, merged, placeIn, valueAt } from './finding.ts'
import { PART, type Reads, readLives, type Stage, WHOLE } from './lives.ts'

/** What status and events tell along the lives of payments (S14, S15, S30). */
export const scoutStages = async (world: World): Promise<Learned> => {
  const reads = await readLives(world)
  const states = statesIn(reads)
  const state = states.found[0]?.value
  return merged([states, eventsIn(reads, typeof state === 'string' ? state : undefined)])
}

/** The word that tells the stages best, and which of its values means which. */
const statesIn = (reads: Reads): Learned => {
  const statuses = [...reads.values()].map(({ status }) => status)
  const ranked = leavesOf(statuses[0] && jsonOf(statuses[0]))
    .filter(({ value }) => isWord(value))
    .map(({ pointer }) => ({ pointer, words: new Set(statuses.map(status => valueAt(status, pointer))).size }))
    .sort((one, other) => other.words - one.words)
  const [best] = ranked
  if (!best || best.words < 2)
    return finding('fields.status.state', undefined, 'no word changed along the life of a payment')
  const evidence = `${best.words} words in ${statuses.length} reads along the lives of payments`
  const declined = reads.get('declined')?.status
  return merged([
    finding('fields.status.state', best.pointer, evidence),
    ...[...categoriesAt(reads, best.pointer)].map(([name, words]) =>
      finding(`states.${name}`, words, evidence, CONFIRMED[name]),
    ),
    declined
      ? finding(
          'fields.status.reasonCode',
          placeIn([[declined, is('2001')]]),
          'the code of a payment that its shopper declined',
          ['BLK-02'],
        )
      : merged([]),
  ])
}

const CONFIRMED: Readonly<Record<string, readonly string[]>> = {
  waiting: ['LIF-22'],
  authorized: ['LIF-01', 'LIF-04', 'BLK-01', 'LIF-22'],
  captured: ['LIF-01', 'LIF-22'],
  settled: ['LIF-05', 'LIF-22'],
  refunded: ['LIF-22'],
  canceled: ['LIF-09'],
}

const CATEGORY: Readonly<Partial<Record<Stage, string>>> = { part: 'captured', returned: 'refunded' }

/** A word that means two stages tells neither. */
const categoriesAt = (reads: Reads, pointer: string): Map<string, string[]> => {
  const told = new Map<string, Set<string>>()
  for (const [stage, { status }] of reads) {
    const category = CATEGORY[stage] ?? stage
    const word = valueAt(status, pointer)
    if (typeof word === 'string') told.set(category, (told.get(category) ?? new Set()).add(word))
  }
  const all = [...told.values()].flatMap(words => [...words])
  const clear = [...told].map(([category, words]): [string, string[]] => [
    category,
    [...words].filter(word => all.filter(other => other === word).length === 1),
  ])
  return new Map(clear.filter(([, words]) => words.length > 0))
}

/** The list that grows, the sums, and the word that agrees with the status. */
const eventsIn = (reads: Reads, state: string | undefined): Learned => {
  const at = (stage: Stage) => reads.get(stage)?.events
  const [waiting, authorized, part, captured, refunded] = [
    at('waiting'),
    at('authorized'),
    at('part'),
    at('captured'),
    at('refunded'),
  ]
  if (!waiting || !authorized || !part || !captured || !refunded) return merged([])
  const lengths = new Map(listsOf(jsonOf(waiting)).map(({ pointer, items }) => [pointer, items.length]))
  const grown = listsOf(jsonOf(authorized)).find(
    ({ pointer, items }) => items.length > (lengths.get(pointer) ?? items.length),
  )
  const agreeing = [...reads.values()].map(({ status, events }) => [events, is(valueAt(status, state ?? ''))] as const)
  const sums = (stage: string) => `the sum after each ${stage}`
  return merged([
    finding('fields.events.list', grown?.pointer, 'the list that grew from initiate to finalize', ['RDS-07']),
    finding(
      'fields.events.captured',
      placeIn([
        [part, is(PART)],
        [captured, is(WHOLE)],
        [authorized, is(0)],
      ]),
      sums('capture'),
    ),
    finding(
      'fields.events.refunded',
      placeIn([
        [refunded, is(WHOLE)],
        [captured, is(0)],
      ]),
      sums('refund'),
    ),
    finding(
      'fields.events.state',
      placeIn(state === undefined ? [] : agreeing),
      'the word that agrees with the status at every stage',
      ['RDS-14'],
    ),
  ])
}
