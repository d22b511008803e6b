import type { Check, Journey } from '../harness/check.ts'
import type { Evidence, Keep } from '../harness/evidence.ts'
import type { World } from './world.ts'

/** A check with a play of its own, whose steps no other check sees. */
export type Scene = Check & { play(world: World, keep: Keep<string>): Promise<unknown> }

/** A journey of scenes: each chosen one is played, whatever became of the others. */
export const staging = (frame: Omit<Journey<World>, 'play' | 'checks'>, scenes: readonly Scene[]): Journey<World> => ({
  ...frame,
  play: async (world, keep, chosen) => {
    for (const { id, play } of scenes) {
      if (!chosen.has(id)) continue
      const played = play(world, (step, exchange) => keep(`${id} ${step}`, exchange))
      await played.catch(why => keep(endOf(id), Promise.reject(why)).catch(() => undefined))
    }
  },
  checks: scenes.map(({ play: _, judge, ...check }) => ({
    ...check,
    judge: (evidence, expect) => judge(within(check.id, evidence), expect),
  })),
})

const endOf = (id: string): string => `${id} ended early`

/** A step that was not reached tells what ended its scene. */
const within = (id: string, evidence: Evidence<string>): Evidence<string> => ({
  ...evidence,
  of: step => {
    try {
      return evidence.of(`${id} ${step}`)
    } catch {
      return evidence.of(endOf(id))
    }
  },
})
