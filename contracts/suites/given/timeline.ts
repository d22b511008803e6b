import { stopwatch } from '../../client/wall-clock.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import type { TestOrganization } from '../context/test-organization.ts'

/** Something that begins, and what is looked at some seconds later; several of them share one wait. */
export type TimedCheck<Begun = unknown> = {
  id: string
  /** Seconds from the beginning to the look; `before` ones must come early enough, `after` ones late enough. */
  seconds: number
  begin(): Promise<Begun>
  /** `ensureBefore` throws Blocked once more seconds have passed since the beginning than a limit allows. */
  look(begun: Begun, ensureBefore: (limitSeconds: number) => void): Promise<unknown>
}

/** Begins everything, then looks at each when its time has come; whatever fails is told to `onFailure` and ends alone. */
export const playTimeline = async (
  profile: Profile,
  { clock }: Pick<TestOrganization, 'clock'>,
  checks: readonly TimedCheck[],
  onFailure: (id: string, why: unknown) => void,
): Promise<void> => {
  const elapsed = stopwatch()
  let moved = 0
  /** Seconds since the start: really passed, and those by which a simulator's clock was moved. */
  const now = () => elapsed() / 1000 + moved
  const pass = async (seconds: number) => {
    if (seconds <= 0) return
    await clock.pass(`PT${Math.ceil(seconds)}S`)
    if (profile.control) moved += Math.ceil(seconds)
  }
  const attempt = <Value>(id: string, act: () => Promise<Value>) =>
    act().catch((why: unknown) => {
      onFailure(id, why)
    })
  const begun: { since: number; due: number; check: TimedCheck; value: unknown }[] = []
  for (const check of checks) {
    const since = now()
    await attempt(check.id, async () => {
      const value = await check.begin()
      begun.push({ since, due: since + check.seconds, check, value })
    })
  }
  for (const { since, due, check, value } of begun.sort((one, other) => one.due - other.due)) {
    const ensureBefore = (limit: number) => {
      if (now() - since > limit) throw new Blocked(`calls took so long that ${limit} s were over before it was tried`)
    }
    await attempt(check.id, async () => {
      await pass(due - now())
      await check.look(value, ensureBefore)
    })
  }
}
