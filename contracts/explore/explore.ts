import { Inconclusive } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { StopSignal } from '../harness/run/stop-signal.ts'
import type { Rules } from '../model/decided-rules-of-deployment.ts'
import { EMPTY_MODEL_STATE } from '../model/model-state.ts'
import type { Abilities } from './abilities.ts'
import { type Coverage, createCoverage, reachableOn } from './coverage.ts'
import type { Draw } from './draw/basis-of-drawn-step.ts'
import { drawBurst } from './draw/burst.ts'
import { drawStep } from './draw/draw-step.ts'
import { closingReads, drawOpening } from './draw/opening-and-closing-steps.ts'
import { createRandom, type Random } from './draw/random.ts'
import { situationKey } from './draw/situation-key.ts'
import { drawTheme } from './draw/themes.ts'
import { createStage, type Organizations, type Stage } from './organizations-and-values-of-play.ts'
import { bursts, confirmedPlay } from './play-and-confirm-sequence.ts'
import { newPlay, type Play, playOn } from './play-and-judge-steps.ts'
import { isCall, type Step } from './step.ts'

/** Target of exploration: a deployment, by its profile, and the organizations that play. */
export type Target = {
  profile: Profile
  rules: Rules
  abilities: Abilities
  /** The organizations for the next sequence; those of a long one have clocks of their own. */
  organizations(isLong: boolean): Promise<Organizations>
}

/** A sequence of calls with a response that the contract does not permit, as it was drawn. */
export type Finding = { steps: Step[]; play: Play; isLong: boolean }

type ExploreOptions = {
  seed: number
  /** Calls to make at least, before the sequence that is under way ends. */
  calls: number
  stop?: Pick<StopSignal, 'cause'>
  /** Violations after which it ends; 1 by default. */
  findings?: number
  /** Called after each sequence, with all calls made so far. */
  onSequence?(calls: number, steps: readonly Step[]): void
  isCovered?(coverage: Coverage): boolean
}

export type Explored = {
  calls: number
  sequences: number
  /** Sequences of which the last steps were not judged, as too many states explained them. */
  judgedInPart: number
  /** Payments whose shopper the driver of the profile failed to have approve. */
  unapproved: number
  findings: Finding[]
  coverage: Coverage
}

/** Plays random sequences of calls against a target, judged by the model, until the calls are spent or a violation is found. */
export const explore = async (target: Target, options: ExploreOptions): Promise<Explored> => {
  const { seed, calls, stop, findings: most = 1, onSequence, isCovered } = options
  const [random, coverage, newStage] = [createRandom(seed), createCoverage(reachableOn(target)), newStageOf(target)]
  const result: Explored = { calls: 0, sequences: 0, judgedInPart: 0, unapproved: 0, findings: [], coverage }
  while (result.calls < calls && result.findings.length < most && !stop?.cause && !isCovered?.(coverage)) {
    const { steps, played, isLong } = await drawAndPlay(target, newStage, random, coverage).catch(
      unlessStopped(stop, { steps: [] as Step[], played: undefined, isLong: false }),
    )
    result.calls += steps.filter(isCall).length
    result.sequences += 1
    if (played?.isJudgedInPart) result.judgedInPart += 1
    result.unapproved += played?.unapproved ?? 0
    if (played?.violation) {
      const found = { steps, play: played, isLong }
      const play = await confirmedPlay(() => newStage(isLong), found, target.rules).catch(
        unlessStopped(stop, undefined),
      )
      if (play) result.findings.push({ ...found, play })
    }
    onSequence?.(result.calls, steps)
  }
  return result
}

const unlessStopped =
  <Instead>(stop: ExploreOptions['stop'], instead: Instead) =>
  (error: unknown): Instead => {
    if (error instanceof Inconclusive && stop?.cause) return instead
    throw error
  }

/** Creates the function that makes the stage for each play of a sequence on a target. */
export const newStageOf =
  ({ profile, organizations }: Target) =>
  async (isLong: boolean): Promise<Stage> =>
    createStage(profile, await organizations(isLong))

const LEAST = 3
const MORE = 7
const LONG_ONE_IN = 3
const BURST_ONE_IN = 3

const drawAndPlay = async (
  { rules, abilities }: Target,
  newStage: ReturnType<typeof newStageOf>,
  random: Random,
  coverage: Coverage,
): Promise<{ steps: Step[]; played: Play; isLong: boolean }> => {
  const theme = drawTheme(random)
  const isLong = abilities.control && (theme.isLong === true || random.oneIn(LONG_ONE_IN))
  const stage = await newStage(isLong)
  const steps: Step[] = drawOpening({ random, abilities }, theme.opening)
  let play = newPlay()
  const take = async (step: Step): Promise<void> => {
    const before = play.states
    const situation = situationKey({ state: before[0] ?? EMPTY_MODEL_STATE, stage }, step)
    play = await playOn(stage, play, [step], rules)
    coverage.note(before, play.states, step, situation)
  }
  for (const step of steps) await take(step)
  const length = theme.isBurst ? 0 : theme.kinds.length + LEAST + Math.floor(random.next() * MORE)
  for (let drawn = 0; drawn < length && !play.violation; drawn += 1) {
    const [state] = play.states
    if (!state) break
    const last = steps.at(-1)
    const draw = { random, abilities, stage, state, isLong, ...(last && { last }) }
    const step = drawStep(draw, `s${steps.length + 1}`, coverage.situations, theme.kinds[drawn])
    steps.push(step)
    await take(step)
  }
  // Calls at once end a sequence: which of them comes first is not of the seed, so that nothing is drawn after them.
  const last = (draw: Draw) => (theme.isBurst || random.oneIn(BURST_ONE_IN) ? drawBurst(draw, steps.length + 1) : [])
  for (const drawEnd of [last, ({ stage, state }: Draw) => closingReads({ state, stage }, steps.length + 1)]) {
    const [state] = play.states
    if (!state || play.violation) break
    for (const together of bursts(drawEnd({ random, abilities, stage, state, isLong }))) {
      const [before, [step]] = [play.states, together]
      steps.push(...together)
      play = await playOn(stage, play, together, rules)
      if (step) coverage.note(before, play.states, step)
    }
  }
  return { steps, played: play, isLong }
}
