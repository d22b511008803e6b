import type { Profile } from './profile.ts'

/** A run that must not go on for the sake of others; one sentence with its cure. */
export class UnsafeError extends Error {}

/** Nobody calls production by a slip of the hand: its host has to be typed once more (7). */
export const confirmHost = ({ target }: Profile, typed: string | undefined): void => {
  if (target.environment !== 'production') return
  const { host } = new URL(target.baseUrl)
  if (typed === host) return
  throw new UnsafeError(
    typed === undefined
      ? `${target.baseUrl} is production: say --confirm-host ${host} if you mean it.`
      : `--confirm-host says ${typed} and the address is ${target.baseUrl}: no call was made.`,
  )
}
