import { Blocked, StillWaiting } from '../../harness/judge/verdict-errors.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import type { AfterWait } from '../drivers/clock.ts'

/** Timed part of a check: something that begins, and what is looked at some seconds later; several share one wait. */
export type TimedCheck<Begun = unknown> = AfterWait & {
  id: string
  /**
   * Seconds to the look, where `within` says how much later still shows it, from before the beginning; else something is
   * to be gone by then, and they count from when the beginning was done: a person may have typed in it.
   */
  seconds: number
  begin(): Promise<Begun>
  /** `ensureBefore` throws Blocked once more seconds have passed since the beginning than a limit allows. */
  look(begun: Begun, ensureBefore: (limitSeconds: number) => void): Promise<unknown>
}

/** Creates a timed check from what begins and from what is looked at later, which is given what began. */
export const begun = <Begun>(begin: TimedCheck<Begun>['begin'], look: TimedCheck<Begun>['look']) =>
  ({ begin, look }) as Pick<TimedCheck, 'begin' | 'look'>

/**
 * Plays timed checks: begins everything, then looks at each when its time has come; whatever fails is told to
 * `onFailure` and ends alone. Times come from the clock of the organization, which gives them again when a paused
 * scenario is played on.
 */
export const playTimeline = async (
  { clock }: Pick<TestOrganization, 'clock'>,
  checks: readonly TimedCheck[],
  onFailure: (id: string, why: unknown) => void,
): Promise<void> => {
  const attempt = <Value>(id: string, act: () => Promise<Value>) =>
    act().catch((why: unknown) => {
      if (why instanceof StillWaiting) throw why
      onFailure(id, why)
    })
  const started: { since: number; due: number; check: TimedCheck; value: unknown }[] = []
  for (const check of checks) {
    const since = clock.now()
    await attempt(check.id, async () => {
      const value = await check.begin()
      const from = check.within === undefined ? clock.now() : since
      started.push({ since, due: from + check.seconds * 1000, check, value })
    })
  }
  for (const { since, due, check, value } of started.sort((one, other) => one.due - other.due)) {
    const ensureBefore = (limit: number) => {
      if (clock.now() - since > limit * 1000)
        throw new Blocked(`calls took so long that ${limit} s were over before it was tried`)
    }
    await attempt(check.id, async () => {
      await clock.passUntil(due, check)
      await check.look(value, ensureBefore)
    })
  }
}
