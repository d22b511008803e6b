import type { Context, Hono } from 'hono'
import { instantOf, isoTime } from '../clock.ts'
import { parseDuration } from '../duration.ts'
import type { ClockView } from '../operator/clock-control.ts'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import { readMembers, readObject } from './read-members.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }
type Told = ClockView & { ran?: number; deliveries?: number; reached?: ClockView['next'] }
type Move = (clock: Operator['clock'], organizationId: string, wanted: unknown) => Promise<Told>

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/

const MOVES = {
  advance: async (clock, organizationId, wanted) => {
    if (wanted === 'next') return clock.advanceToNext(organizationId)
    const milliseconds = typeof wanted === 'string' ? parseDuration(wanted) : undefined
    if (milliseconds === undefined) throw wrong('advance', wanted, 'an ISO 8601 duration such as PT45S, or "next"')
    return clock.advance(organizationId, milliseconds)
  },
  to: async (clock, organizationId, wanted) => {
    const instant = typeof wanted === 'string' ? readInstant(wanted) : undefined
    if (instant === undefined) throw wrong('to', wanted, 'a time such as 2027-01-01T00:00:00Z')
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

/** The clock of an organization: looked at, moved, held, and run faster or slower. */
export const addClockRoutes = (control: Hono, { operator, known }: Parts): void => {
  const clock = '/organizations/:organizationId/clock'

  control.get(clock, async c => c.json(clockBody(await operator.clock.look(await known(c)))))

  control.post(clock, async c => {
    const organizationId = await known(c)
    const wanted = await readObject(c, NAMES)
    const [name, more] = NAMES.filter(one => wanted[one] !== undefined)
    if (name === undefined || more !== undefined)
      throw new OperatorError('invalid', `Give exactly one of ${NAMES.join(', ')}.`)
    return c.json(clockBody(await MOVES[name](operator.clock, organizationId, wanted[name])))
  })

  control.post(`${clock}/drain`, async c => {
    const organizationId = await known(c)
    await readMembers(c, [])
    return c.json(clockBody(await operator.clock.drain(organizationId)))
  })
}

/** An instant of a day that there is: Date.parse takes the 30th of February for the 2nd of March. */
const readInstant = (text: string): number | undefined => {
  const day = text.slice(0, 10)
  const isDay = INSTANT.test(text) && new Date(day).toJSON()?.startsWith(day)
  const instant = instantOf(text)
  return isDay && !Number.isNaN(instant) ? instant : undefined
}

const wrong = (member: MoveName, given: unknown, wanted: string): OperatorError =>
  new OperatorError('invalid', `${member} is ${JSON.stringify(given).slice(0, 60)}: give ${wanted}.`)

const clockBody = ({ now, next, reached, ...told }: Told) => ({
  now: isoTime(now),
  ...told,
  next: thingBody(next),
  ...(reached === undefined ? {} : { reached: thingBody(reached) }),
})

const thingBody = (thing: ClockView['next']) => thing && { ...thing, at: isoTime(thing.at) }
