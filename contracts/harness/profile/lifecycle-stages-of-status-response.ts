import type { Exchange } from '../../client/http-exchange.ts'
import { amountOf } from '../judge/compare-scalars.ts'
import { Untestable } from '../judge/verdict-errors.ts'
import type { Profile } from './profile.ts'
import { profileLine, readField } from './response-fields-and-line-advice.ts'

type Sums = { captured?: number | undefined; refunded?: number | undefined }
type Sum = 'none' | 'some' | 'any'
const SUMS = ['captured', 'refunded'] as const

/** The sums that a payment has in each stage (3), by which stages that share a word are told apart. */
// biome-ignore format: a table reads by its columns
const SUMS_OF_STAGE: Readonly<Record<string, Readonly<Record<keyof Sums, Sum>>>> = {
  waiting:       { captured: 'none', refunded: 'none' },
  authenticated: { captured: 'none', refunded: 'none' },
  authorized:    { captured: 'none', refunded: 'none' },
  captured:      { captured: 'some', refunded: 'none' },
  settled:       { captured: 'some', refunded: 'none' },
  refunded:      { captured: 'some', refunded: 'some' },
  declined:      { captured: 'none', refunded: 'none' },
  expired:       { captured: 'any',  refunded: 'none' },
  canceled:      { captured: 'any',  refunded: 'none' },
  processing:    { captured: 'any',  refunded: 'any' },
}

/** The stages that a status response may mean, and the word and sums that say so. */
type LifecycleStages = { stages: string[]; shown: string }

/**
 * Reads the lifecycle stages that the state of a status response stands for, by the profile's `states` and, where its
 * word stands for several, by the sums at `fields.status`. Throws Untestable for a word that is not listed.
 */
export const readLifecycleStages = (profile: Profile, exchange: Exchange): LifecycleStages => {
  const word = String(readField(profile, exchange, 'status.state'))
  const stages = Object.entries(profile.states ?? {}).flatMap(([stage, words]) => (words.includes(word) ? [stage] : []))
  if (stages.length === 0)
    throw new Untestable(
      `the state "${word}" belongs to no category: list it under states in ${profile.file}`,
      exchange,
      'states',
    )
  if (stages.length === 1) return { stages, shown: stages.join() }
  const sums = Object.fromEntries(
    SUMS.filter(name => isTelling(name, stages)).map(name => [name, readSum(profile, exchange, name)]),
  )
  return { stages: stages.filter(stage => agrees(stage, sums)), shown: describe(word, sums) }
}

/** Stages of a payment that goes through them all (3). */
const IN_ORDER = ['waiting', 'authenticated', 'authorized', 'captured', 'settled', 'refunded']

/** Whether stages come before each of the expected ones, so that a payment may only be on its way there (E5). */
export const comesBefore = (stages: readonly string[], expected: readonly string[]): boolean => {
  if (stages.includes('processing')) return true
  const [shown, wanted] = [stages, expected].map(names => names.map(name => IN_ORDER.indexOf(name)))
  const reachable = (wanted ?? []).filter(place => place >= 0)
  return shown?.includes(-1) === false && reachable.length > 0 && Math.max(...shown) < Math.min(...reachable)
}

/** Whether a sum can tell some of these stages apart. */
const isTelling = (name: keyof Sums, stages: readonly string[]): boolean =>
  new Set(stages.map(stage => SUMS_OF_STAGE[stage]?.[name])).size > 1

/** Reads a sum of a status response; undefined where the profile names no place for it, Untestable where none is found. */
const readSum = (profile: Profile, exchange: Exchange, name: keyof Sums): number | undefined => {
  const path = `fields.status.${name}`
  if (profileLine(profile, path) === undefined) return undefined
  const sum = amountOf(profile, readField(profile, exchange, `status.${name}`))
  if (sum !== undefined) return sum
  throw new Untestable(`${path} points at no amount: correct it in ${profile.file}`, exchange)
}

const agrees = (stage: string, sums: Sums): boolean =>
  Object.entries(SUMS_OF_STAGE[stage] ?? {}).every(([name, wanted]) => {
    const sum = sums[name as keyof Sums]
    return sum === undefined || wanted === 'any' || (wanted === 'some') === sum > 0
  })

const describe = (word: string, sums: Sums): string => {
  const shown = Object.entries(sums).flatMap(([name, sum]) => (sum === undefined ? [] : [`${name} ${sum}`]))
  return [`the state "${word}"`, ...shown].join(', ')
}
