import type { Rules } from '../model/decided-rules-of-deployment.ts'
import type { Stage } from './organizations-and-values-of-play.ts'
import { newPlay, type Play, playOn } from './play-and-judge-steps.ts'
import type { Step } from './step.ts'

/**
 * Plays an explored sequence of calls against its target from the beginning; steps that are made together are played
 * at once.
 */
export const playSequence = async (stage: Stage, steps: readonly Step[], rules: Rules): Promise<Play> => {
  let play = newPlay()
  for (const together of bursts(steps)) play = await playOn(stage, play, together, rules)
  return play
}

/**
 * Plays a sequence of exploration so that nothing which it shows is only late: where no control moves time, each call is
 * waited for until what it did shows.
 */
export const playPatiently = (stage: Stage, steps: readonly Step[], rules: Rules): Promise<Play> =>
  playSequence({ ...stage, isPatient: stage.profile.control === undefined }, steps, rules)

/** Times that a violation is looked for again; calls at once may race and need more. */
const [TRIES, TRIES_OF_RACES] = [2, 5]

/**
 * Plays a sequence anew until a violation shows for sure; undefined where there is none. A service may do late what it
 * has accepted (1, E5): where no control moves time, the sequence must show a violation again when it is played
 * patiently.
 */
export const confirmedPlay = async (
  newStage: () => Promise<Stage>,
  { steps, play }: { steps: readonly Step[]; play: Play },
  rules: Rules,
): Promise<Play | undefined> => {
  const tries = steps.some(({ together }) => together) ? TRIES_OF_RACES : TRIES
  for (let tried = 0; tried < tries; tried += 1) {
    const stage = await newStage()
    if (stage.profile.control) return play
    const again = await playPatiently(stage, steps, rules)
    if (again.violation) return again
  }
  return undefined
}

/** Splits an explored sequence into steps that are made one after the other, or at once. */
export const bursts = (steps: readonly Step[]): Step[][] => {
  const all: Step[][] = []
  for (const step of steps) {
    const last = all.at(-1)
    if (step.together && last) last.push(step)
    else all.push([step])
  }
  return all
}
