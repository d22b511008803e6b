import { type Exchange, responseJson } from '../client/http-exchange.ts'
import { jsonLeaves } from '../dialect/json-pointer.ts'
import { amountOf } from '../harness/judge/compare-scalars.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import {
  equals,
  findCommonPointer,
  isStateWord,
  jsonArrays,
  likeliestState,
  responseValueAt,
} from './find-json-pointers.ts'
import { createProbeResult, mergeProbeResults, type ProbeResult } from './probe-findings.ts'
import {
  type ExchangesByStage,
  FULL_AMOUNT,
  type LifecycleStage,
  PARTIAL_AMOUNT,
  readLifecycles,
} from './run-payments-through-lifecycle.ts'

/** Learns the state values of status, and list and sums of events, over the lifecycle of payments (S14, S15, S30). */
export const scoutLifecycleFields = async (context: CheckContext): Promise<ProbeResult> => {
  const reads = await readLifecycles(context)
  const states = statesIn(reads)
  const state = states.found[0]?.value
  return mergeProbeResults([states, eventsIn(context.profile, reads, typeof state === 'string' ? state : undefined)])
}

/** Finds the state member, the code that changes most between the stages, and the values that mean each stage. */
const statesIn = (reads: ExchangesByStage): ProbeResult => {
  const statuses = [...reads.values()].map(({ status }) => status)
  const changing = jsonLeaves(statuses[0] && responseJson(statuses[0]))
    .filter(({ pointer, value }) => isStateWord(value) && changesIn(statuses, pointer))
    .map(({ pointer }) => pointer)
  const best = likeliestState(changing, statuses)
  if (!best) return createProbeResult('fields.status.state', undefined, 'no word changed during the life of a payment')
  const evidence = `${best.words.length} words in ${statuses.length} reads along the lives of payments`
  const declined = reads.get('declined')?.status
  return mergeProbeResults([
    createProbeResult('fields.status.state', best.pointer, evidence),
    ...[...categoriesAt(reads, best.pointer)].map(([name, words]) =>
      createProbeResult(`states.${name}`, words, evidence, SAME_EVIDENCE[name]),
    ),
    declined
      ? createProbeResult(
          'fields.status.reasonCode',
          findCommonPointer([[declined, equals('2001')]]),
          'the code of a payment that its shopper declined',
          ['BLK-02'],
        )
      : mergeProbeResults([]),
  ])
}

/** Whether a member changes between two reads of one payment: what differs only from payment to payment is no state. */
const changesIn = (statuses: readonly Exchange[], pointer: string): boolean =>
  [...Map.groupBy(statuses, ({ request }) => request.url).values()].some(
    reads => new Set(reads.map(read => responseValueAt(read, pointer))).size > 1,
  )

const SAME_EVIDENCE: Readonly<Record<string, readonly string[]>> = {
  waiting: ['LIF-22'],
  authorized: ['LIF-01', 'LIF-04', 'BLK-01', 'LIF-22'],
  captured: ['LIF-01', 'LIF-22'],
  settled: ['LIF-05', 'LIF-22'],
  refunded: ['LIF-22'],
  canceled: ['LIF-09'],
}

const CATEGORY: Readonly<Partial<Record<LifecycleStage, string>>> = { part: 'captured', returned: 'refunded' }

/** Returns the state values by lifecycle category; a value that occurs in two categories is left out. */
const categoriesAt = (reads: ExchangesByStage, pointer: string): Map<string, string[]> => {
  const valuesOf = new Map<string, Set<string>>()
  for (const [stage, { status }] of reads) {
    const category = CATEGORY[stage] ?? stage
    const word = responseValueAt(status, pointer)
    if (typeof word === 'string') valuesOf.set(category, (valuesOf.get(category) ?? new Set()).add(word))
  }
  const all = [...valuesOf.values()].flatMap(words => [...words])
  const clear = [...valuesOf].map(([category, words]): [string, string[]] => [
    category,
    [...words].filter(word => all.filter(other => other === word).length === 1),
  ])
  return new Map(clear.filter(([, words]) => words.length > 0))
}

/** Finds the event fields: the list that grows, captured and refunded sums, and the state that matches the status. */
const eventsIn = (profile: Profile, reads: ExchangesByStage, state: string | undefined): ProbeResult => {
  const at = (stage: LifecycleStage) => reads.get(stage)?.events
  const begun = at('waiting') ?? at('authenticated')
  const [authorized, captured, refunded] = [at('authorized'), at('captured'), at('refunded')]
  if (!begun || !authorized || !captured || !refunded) return mergeProbeResults([])
  const lengths = new Map(jsonArrays(responseJson(begun)).map(({ pointer, items }) => [pointer, items.length]))
  const grown = jsonArrays(responseJson(authorized)).find(
    ({ pointer, items }) => items.length > (lengths.get(pointer) ?? items.length),
  )
  const agreeing = [...reads.values()].map(
    ({ status, events }) => [events, equals(responseValueAt(status, state ?? ''))] as const,
  )
  return mergeProbeResults([
    createProbeResult('fields.events.list', grown?.pointer, 'the list that grew up to finalize', ['RDS-07']),
    sumIn(profile, reads, 'captured', { part: PARTIAL_AMOUNT, captured: FULL_AMOUNT, authorized: 0 }),
    sumIn(profile, reads, 'refunded', { captured: 0, returned: PARTIAL_AMOUNT, refunded: FULL_AMOUNT }),
    createProbeResult(
      'fields.events.state',
      findCommonPointer(state === undefined ? [] : agreeing),
      'the word that agrees with the status at every stage',
      ['RDS-14'],
    ),
  ])
}

/** Finds the sum captured or refunded so far, which is known at some stages: in events, else in status. */
const sumIn = (
  profile: Profile,
  reads: ExchangesByStage,
  name: 'captured' | 'refunded',
  sums: Readonly<Partial<Record<LifecycleStage, number>>>,
): ProbeResult => {
  const evidence = `the sum ${name} so far at ${Object.keys(sums).length} stages of a payment`
  const found = (['events', 'status'] as const).flatMap(read => {
    const wanted = Object.entries(sums).flatMap(([stage, sum]) => {
      const exchange = reads.get(stage as LifecycleStage)?.[read]
      return exchange ? [[exchange, (value: string) => amountOf(profile, value) === sum] as const] : []
    })
    const pointer = findCommonPointer(wanted)
    return pointer === undefined ? [] : [createProbeResult(`fields.${read}.${name}`, pointer, evidence)]
  })
  return found[0] ?? createProbeResult(`fields.events.${name}`, undefined, evidence)
}
