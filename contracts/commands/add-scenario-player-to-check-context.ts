import { durationSeconds } from '../harness/profile/parse-and-format-iso-duration.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { ScenarioPlayer } from '../harness/run/resumable-scenario-player.ts'
import type { ContextWrappers } from '../suites/context/test-organization.ts'
import { type Clock, ensurePatience, lastTime } from '../suites/drivers/clock.ts'

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
              return request.forCache || request.forCleanup ? send() : player.call(organization, request, send)
            },
          }
        },
        shopper: shopper => ({
          ...shopper,
          prepare: (body, outcome) => player.act(() => shopper.prepare(body, outcome), body),
          act: (payment, outcome) => player.act(() => shopper.act(payment, outcome), undefined),
        }),
        clock: clock => {
          const passUntil: Clock['passUntil'] = async (at, next) => {
            const left = at - player.now()
            if (left > 0) ensurePatience(profile, left)
            return player.wait(at, lastTime(at, next), () => clock.passUntil(at))
          }
          return {
            now: player.now,
            pass: (duration, next) => passUntil(player.now() + durationSeconds(duration) * 1000, next),
            passUntil,
            pause: ms => player.pause(() => clock.pause(ms)),
          }
        },
      }
