import type { Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import type { ClockView } from '../organizations/clock-control.ts'
import { isoTime, parseExactInstant } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { A_DURATION, parseDuration } from '../support/duration.ts'
import { readJsonMembers, readTextMembers } from './read-request.ts'

type ClockResult = ClockView & {
  ran?: number
  deliveries?: number
  unresponsive?: readonly string[]
  reached?: ClockView['next']
}
type Move = (clock: ControlPlaneFeatures['clock'], organizationId: string, wanted: unknown) => Promise<ClockResult>

const MOVES = {
  advance: async (clock, organizationId, wanted) => {
    if (wanted === 'next') return clock.advanceToNext(organizationId)
    const milliseconds = typeof wanted === 'string' ? parseDuration(wanted) : undefined
    if (milliseconds === undefined) throw wrong('advance', wanted, `${A_DURATION} such as PT45S, or "next"`)
    return clock.advance(organizationId, milliseconds)
  },
  to: async (clock, organizationId, wanted) => {
    const instant = typeof wanted === 'string' ? parseExactInstant(wanted) : Number.NaN
    if (Number.isNaN(instant)) throw wrong('to', wanted, 'a time such as 2027-01-01T00:00:00Z')
    return clock.goTo(organizationId, instant)
  },
  freeze: async (clock, organizationId, wanted) => {
    if (typeof wanted !== 'boolean') throw wrong('freeze', wanted, 'true or false')
    return clock.freeze(organizationId, wanted)
  },
  scale: async (clock, organizationId, wanted) => {
    if (typeof wanted !== 'number') throw wrong('scale', wanted, 'a number, 1 for real pace')
    return clock.scale(organizationId, wanted)
  },
} as const satisfies Record<string, Move>

type MoveName = keyof typeof MOVES
const NAMES = Object.keys(MOVES) as MoveName[]

/** Adds the routes of control for an organization's clock: read, advance, freeze, scale and drain. */
export const addClockRoutes = (control: Hono, controlPlane: ControlPlaneFeatures): void => {
  const clock = '/organizations/:organizationId/clock'

  control.get(clock, async c => c.json(clockBody(await controlPlane.clock.look(c.var.organizationId))))

  control.post(clock, async c => {
    const wanted = await readJsonMembers(c, NAMES)
    const [name, more] = NAMES.filter(one => wanted[one] !== undefined)
    if (name === undefined || more !== undefined)
      throw new ControlError('invalid', `Give exactly one of ${NAMES.join(', ')}.`)
    return c.json(clockBody(await MOVES[name](controlPlane.clock, c.var.organizationId, wanted[name])))
  })

  control.post(`${clock}/drain`, async c => {
    await readTextMembers(c, [])
    return c.json(clockBody(await controlPlane.clock.drain(c.var.organizationId)))
  })
}

const wrong = (member: MoveName, given: unknown, wanted: string): ControlError =>
  new ControlError('invalid', `${member} is ${JSON.stringify(given).slice(0, 60)}: give ${wanted}.`)

const clockBody = ({ now, next, reached, ...rest }: ClockResult) => ({
  now: isoTime(now),
  ...rest,
  next: dueItemBody(next),
  ...(reached === undefined ? {} : { reached: dueItemBody(reached) }),
})

const dueItemBody = (item: ClockView['next']) => item && { ...item, at: isoTime(item.at) }
