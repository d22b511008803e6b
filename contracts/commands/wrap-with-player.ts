import { Untestable } from '../harness/judge/verdict-errors.ts'
import { durationSeconds } from '../harness/profile/duration.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { driverAdvice } from '../harness/profile/response-fields.ts'
import type { ScenarioPlayer } from '../harness/run/scenario-player.ts'
import type { ContextWrappers } from '../suites/context/test-organization.ts'

/**
 * Adds a scenario player to the wrappers of a context: calls, acts of shoppers and waits go through it. On a simulator,
 * whose clock is moved, nothing waits and the wrappers stay as they are.
 */
export const wrapWithPlayer = (profile: Profile, player: ScenarioPlayer, wrappers: ContextWrappers): ContextWrappers =>
  profile.control
    ? wrappers
    : {
        ...wrappers,
        transport: (network, organization) => {
          const transport = wrappers.transport?.(network, organization) ?? network
          return {
            ...transport,
            exchange: (request, connection) => {
              const send = () => transport.exchange(request, connection)
              return request.forCache ? send() : player.call(organization, request, send)
            },
          }
        },
        shopper: shopper => ({
          ...shopper,
          prepare: (body, outcome) => player.act(() => shopper.prepare(body, outcome), body),
          act: (payment, outcome) => player.act(() => shopper.act(payment, outcome), undefined),
        }),
        clock: clock => ({
          pass: async (duration, next) => {
            const advice = driverAdvice(profile, `time.${duration}`)
            if (advice !== undefined) throw new Untestable(advice)
            const pause = (seconds: number) => clock.pass(`PT${Math.ceil(seconds)}S`)
            return player.wait(durationSeconds(duration), next && durationSeconds(next.within), pause)
          },
        }),
      }
