import type { Step } from '../step.ts'
import type { Draw, DrawKind } from './basis-of-drawn-step.ts'
import { code, coded, foreign, mocked, mockSet, pass, shopper } from './foreign-mock-time-and-shopper-steps.ts'
import { act, advance, charge, initiate, read } from './payment-steps.ts'
import { fault, lost, repeat, retry, wrong } from './repeated-wrong-and-faulty-steps.ts'
import { situationKey } from './situation-key.ts'

/** The kinds of steps, each with its weight. */
// biome-ignore format: a table reads by its columns
const KINDS: readonly (readonly [weight: number, draw: DrawKind])[] = [
  [8, advance], [6, act], [6, read], [6, repeat], [6, foreign], [5, wrong], [2, initiate], [3, charge],
  [5, mockSet], [4, mocked], [3, pass], [1, shopper], [3, fault], [2, lost], [1, code],
]
const ALL = KINDS.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw))

/** What follows a step half of the time: the step by which its effect shows. */
const FOLLOWS: Readonly<Partial<Record<Step['do'], readonly DrawKind[]>>> = {
  mockSet: [mocked, mocked, mocked, pass, mockSet],
  pass: [read, read, repeat, mocked, mocked, advance, act, coded],
  code: [pass, pass, coded],
  repeat: [read, repeat],
  initiate: [mocked, mocked, repeat],
  shopper: [read, advance],
  capture: [read, repeat],
  refund: [read, repeat],
  cancel: [read, repeat],
}

const CANDIDATES = 6
const TRIES = 100

/**
 * Chooses at random the next step of an explored sequence: that of its theme, else half of the time by weight alone,
 * else of a few candidates the one whose situation was seen least.
 */
export const drawStep = (draw: Draw, id: string, seen: ReadonlyMap<string, number>, theme?: DrawKind): Step => {
  const { random, last } = draw
  const themed = theme?.(draw)
  if (themed) return { ...themed, id }
  const follows = last?.fault || last?.lost ? [retry, retry, read] : last && FOLLOWS[last.do]
  const kinds = follows && random.oneIn(2) ? [...follows, ...ALL.slice(0, 1)] : ALL
  const wanted = random.oneIn(2) ? 1 : CANDIDATES
  const candidates: Step[] = []
  for (let tried = 0; candidates.length < wanted && tried < TRIES; tried += 1) {
    const step = random.pick(kinds)?.(draw)
    if (step) candidates.push({ ...step, id })
  }
  const count = (step: Step) => seen.get(situationKey(draw, step)) ?? 0
  const [first = { id, do: 'cancel', on: 'unknown' } as const, ...others] = candidates
  return others.reduce<Step>((best, step) => (count(step) < count(best) ? step : best), first)
}
