import { CallError } from '../client/call-errors.ts'
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
  /** Why an error ends it with what was shown so far; one that does not (undefined) is thrown. */
  whyEnded?(error: unknown): string | undefined
}

export type Explored = {
  calls: number
  sequences: number
  /** Sequences of which the last steps were not judged, as too many states explained them. */
  judgedInPart: number
  /** Payments whose shopper the driver of the profile failed to have approve. */
  unapproved: number
  findings: Finding[]
  /** The sequence that showed a violation which an early end kept from being confirmed. */
  unconfirmed?: Finding
  coverage: Coverage
  /** Why it ended in the middle of a sequence. */
  ended?: string
}

/** Plays random sequences of calls against a target, judged by the model, until the calls are spent or a violation is found. */
export const explore = async (target: Target, options: ExploreOptions): Promise<Explored> => {
  const { seed, calls, stop, findings: most = 1, onSequence, isCovered, whyEnded } = options
  const [random, coverage, newStage] = [createRandom(seed), createCoverage(reachableOn(target)), newStageOf(target)]
  const result: Explored = { calls: 0, sequences: 0, judgedInPart: 0, unapproved: 0, findings: [], coverage }
  const isOver = () => result.ended !== undefined || stop?.cause !== undefined || isCovered?.(coverage) === true
  const end = (error: unknown): void => {
    const why = error instanceof Inconclusive && stop?.cause ? stop.cause.reason : whyEnded?.(error)
    if (why === undefined) throw error
    result.ended = why
  }
  while (result.calls < calls && result.findings.length < most && !isOver()) {
    const drawn: Finding = { steps: [], play: newPlay(), isLong: false }
    await drawAndPlay(target, newStage, random, { drawn, coverage }).catch(end)
    const { steps, play, isLong } = drawn
    result.calls += steps.filter(isCall).length
    if (steps.length > 0) result.sequences += 1
    if (play.isJudgedInPart) result.judgedInPart += 1
    result.unapproved += play.unapproved ?? 0
    if (play.violation)
      try {
        const confirmed = await confirmedPlay(() => newStage(isLong), drawn, target.rules)
        if (confirmed) result.findings.push({ ...drawn, play: confirmed })
      } catch (error) {
        if (error instanceof CallError) result.ended = error.message
        else end(error)
        result.unconfirmed = drawn
      }
    onSequence?.(result.calls, steps)
  }
  return result
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

/** Draws a sequence and plays it; `drawn` holds the steps that were played, also where an error ends it. */
const drawAndPlay = async (
  { rules, abilities }: Target,
  newStage: ReturnType<typeof newStageOf>,
  random: Random,
  { drawn, coverage }: { drawn: Finding; coverage: Coverage },
): Promise<void> => {
  const theme = drawTheme(random)
  drawn.isLong = abilities.control && (theme.isLong === true || random.oneIn(LONG_ONE_IN))
  const stage = await newStage(drawn.isLong)
  const { steps, isLong } = drawn
  const take = async (together: readonly Step[], situation?: string): Promise<void> => {
    const [before, [step]] = [drawn.play.states, together]
    drawn.play = await playOn(stage, drawn.play, together, rules)
    steps.push(...together)
    if (step) coverage.note(before, drawn.play.states, step, situation)
  }
  const takeOne = (step: Step): Promise<void> =>
    take([step], situationKey({ state: drawn.play.states[0] ?? EMPTY_MODEL_STATE, stage }, step))
  for (const step of drawOpening({ random, abilities }, theme.opening)) if (!drawn.play.violation) await takeOne(step)
  const length = theme.isBurst ? 0 : theme.kinds.length + LEAST + Math.floor(random.next() * MORE)
  for (let count = 0; count < length && !drawn.play.violation; count += 1) {
    const [state] = drawn.play.states
    if (!state) break
    const last = steps.at(-1)
    const draw = { random, abilities, stage, state, isLong, ...(last && { last }) }
    await takeOne(drawStep(draw, `s${steps.length + 1}`, coverage.situations, theme.kinds[count]))
  }
  // Calls at once end a sequence: which of them comes first is not of the seed, so that nothing is drawn after them.
  const last = (draw: Draw) => (theme.isBurst || random.oneIn(BURST_ONE_IN) ? drawBurst(draw, steps.length + 1) : [])
  for (const drawEnd of [last, ({ stage, state }: Draw) => closingReads({ state, stage }, steps.length + 1)]) {
    const [state] = drawn.play.states
    if (!state || drawn.play.violation) break
    for (const together of bursts(drawEnd({ random, abilities, stage, state, isLong }))) await take(together)
  }
}
