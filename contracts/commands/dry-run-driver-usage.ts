import { durationSeconds } from '../harness/profile/parse-and-format-iso-duration.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { ControlDriver } from '../suites/context/control-driver.ts'
import type { ContextWrappers } from '../suites/context/test-organization.ts'
import { canSeeShopperWaiting, shopperDeadlineMs } from '../suites/drivers/await-shopper-outcome.ts'
import type { Shopper } from '../suites/drivers/choose-shopper-driver.ts'
import { ensurePatience } from '../suites/drivers/clock.ts'
import { NOBODY_OPENS } from '../suites/drivers/scripted-redirect-page-shopper.ts'
import { isDecision, type PaymentToAct, type ShopperOutcome } from '../suites/drivers/shopper-driver-types.ts'

/** Beginning of the lines of the shoppers for whom a run waits until a status shows that they have acted. */
const AWAITED = 'shopper.'

/**
 * Usage of the drivers in a dry run: the profile lines of those that would act, the seconds of waiting, those of them
 * that pass because no status tells when a shopper has acted, the acts of a person.
 */
export type DriverUsage = { lines: string[]; waitSeconds: number; unseenSeconds: number; humanActs: number }

/**
 * Creates the wrappers by which a dry run notes what its drivers would do, and `take`, which returns the usage since
 * last time.
 */
export const createDriverUsage = (
  profile: Profile,
): Required<Pick<ContextWrappers, 'shopper' | 'clock'>> & {
  control(control: ControlDriver): ControlDriver
  take(): DriverUsage
} => {
  let used = new Set<string>()
  let [waitSeconds, unseenSeconds, humanActs] = [0, 0, 0]
  const unseenFor = (line: string | undefined, outcome: ShopperOutcome): number =>
    isDecision(outcome) && line?.startsWith(AWAITED) && !canSeeShopperWaiting(profile)
      ? shopperDeadlineMs(profile) / 1000
      : 0
  const note = (line: string | undefined, byHand: boolean): void => {
    if (line === undefined || line === NOBODY_OPENS) return
    used.add(line)
    if (line === 'shopper.ask' && byHand) humanActs += 1
  }
  const noting = (shopper: Shopper): Shopper => ({
    ...shopper,
    without: lines => noting(shopper.without(lines)),
    prepare: async (body, outcome) => {
      const { providerId } = body.providerDetails
      note(shopper.lineFor(providerId as PaymentToAct['provider'], outcome), providerId === 'BLIK')
      return body
    },
    act: async ({ provider }, outcome: ShopperOutcome) => {
      const line = shopper.lineFor(provider, outcome)
      note(line, true)
      unseenSeconds += unseenFor(line, outcome)
    },
  })
  return {
    shopper: noting,
    clock: () => {
      let now = 0
      const pass = async (duration: string): Promise<void> => {
        ensurePatience(profile, durationSeconds(duration) * 1000)
        used.add(profile.control ? 'control.url' : 'patience')
        now += durationSeconds(duration) * 1000
        if (!profile.control) waitSeconds += durationSeconds(duration)
      }
      return {
        now: () => now,
        pass,
        passUntil: async at => {
          if (at > now) await pass(`PT${Math.ceil((at - now) / 1000)}S`)
        },
        pause: async ms => {
          now += ms
          if (!profile.control) waitSeconds += ms / 1000
        },
      }
    },
    control: control => {
      const noted = Object.entries(control).map(([name, call]) => [
        name,
        (...given: unknown[]) => {
          used.add('control.url')
          return (call as (...given: unknown[]) => unknown)(...given)
        },
      ])
      return Object.fromEntries(noted) as ControlDriver
    },
    take: () => {
      const taken = { lines: [...used].sort(), waitSeconds: waitSeconds + unseenSeconds, unseenSeconds, humanActs }
      used = new Set()
      waitSeconds = 0
      unseenSeconds = 0
      humanActs = 0
      return taken
    },
  }
}
