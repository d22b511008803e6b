import { type Context, Hono } from 'hono'
import { respondWithPage, seeOther } from '../../page-response.ts'
import { statusOf } from '../forms/form-and-page-handlers.ts'
import { FormError, formResult } from '../forms/form-result.ts'
import { readFormValues } from '../forms/form-values.ts'
import { type PageRequestData, pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import type { ScheduledItem } from '../layout/scheduled-item.ts'
import { type Organization, type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { type ClockMoved, type ClockState, clockPage } from './clock-page.ts'

type Moved = { now: number; ran: number; deliveries?: number; unresponsive?: readonly string[] }

/** Features of the simulator that the portal's page of an organization's clock needs. */
export type ClockFeatures = OrganizationPages & {
  clock: {
    look: (organizationId: string) => Promise<ClockState>
    /** Jobs that wait for the clock, soonest first. */
    scheduled: (organizationId: string, limit: number) => Promise<readonly ScheduledItem[]>
    advance: (organizationId: string, milliseconds: number) => Promise<Moved>
    advanceToNext: (organizationId: string) => Promise<Moved>
    drain: (organizationId: string) => Promise<Moved>
    freeze: (organizationId: string, isFrozen: boolean) => Promise<Moved>
    scale: (organizationId: string, rate: number) => Promise<Moved>
  }
  /** Milliseconds of an ISO 8601 duration; undefined where the text is none. */
  parseDuration: (text: string) => number | undefined
}

/** Most scheduled items that the clock page shows. */
const SCHEDULED = 12

/**
 * Creates the routes of the portal's clock page. The result of a move is in the address, so that reload moves nothing.
 */
export const clockRoutes = (features: ClockFeatures): Hono => {
  const { clock } = features
  const route = withOrganization(features)
  const root = `${portalPaths.organizations}/:organizationId/clock`
  const page = async (c: Context, organization: Organization, form: Partial<PageRequestData> = {}) => {
    const { organizationId } = organization
    const state = await clock.look(organizationId)
    const shown = { state, scheduled: await clock.scheduled(organizationId, SCHEDULED), moved: movedIn(c) }
    return respondWithPage(
      c,
      clockPage(pageRequestData(c, features, form), organization, shown),
      'here',
      statusOf(form),
    )
  }
  return new Hono()
    .get(
      root,
      route((c, organization) => page(c, organization)),
    )
    .post(
      root,
      route(async (c, organization) => {
        const { organizationId } = organization
        const typed = await readFormValues(c)
        const move = MOVES.get(typed.way ?? '')
        if (!move) return seeOther(c, portalPaths.clock(organizationId))
        const result = await formResult(async () => {
          const { now: from } = await clock.look(organizationId)
          const { now, ran, deliveries = 0, unresponsive = [] } = await move(features, organizationId, typed)
          return { way: typed.way ?? '', ran, deliveries, unresponsive: unresponsive.length, from, now }
        })
        if ('refused' in result) return page(c, organization, { ...result, typed })
        const moved = new URLSearchParams(Object.entries(result.done).map(([name, value]) => [name, String(value)]))
        return seeOther(c, `${portalPaths.clock(organizationId)}?${moved}`)
      }),
    )
}

type Move = (features: ClockFeatures, organizationId: string, typed: Record<string, string>) => Promise<Moved>

/** The action of each button of the clock page. */
const MOVES = new Map<string, Move>(
  Object.entries({
    advance: ({ clock, parseDuration }, organizationId, { duration = '' }) => {
      const milliseconds = parseDuration(duration.trim().toUpperCase())
      if (milliseconds !== undefined) return clock.advance(organizationId, milliseconds)
      throw new FormError(
        `duration is "${short(duration)}": give days, hours, minutes and seconds such as PT45S, PT1H or P7D.`,
      )
    },
    next: ({ clock }, organizationId) => clock.advanceToNext(organizationId),
    drain: ({ clock }, organizationId) => clock.drain(organizationId),
    freeze: ({ clock }, organizationId) => clock.freeze(organizationId, true),
    real: ({ clock }, organizationId) => clock.freeze(organizationId, false),
    scale: ({ clock }, organizationId, { rate = '' }) => {
      const pace = /\d/.test(rate) ? Number(rate.trim().replace(',', '.')) : Number.NaN
      if (Number.isFinite(pace)) return clock.scale(organizationId, pace)
      throw new FormError(`scale is "${short(rate)}": give a number above 0, such as 60 or 0.5.`)
    },
  } satisfies Record<string, Move>),
)

/** Ways that change the pace of the clock, and move it nowhere. */
const PACES: readonly string[] = ['freeze', 'real', 'scale']

/** What was typed in a field, short enough to be quoted. */
const short = (typed: string): string => typed.trim().slice(0, 40)

/** Reads the result of a move of the clock from the address. */
const movedIn = (c: Context): ClockMoved | undefined => {
  const numbers = ['ran', 'deliveries', 'unresponsive', 'from', 'now'].map(name => c.req.query(name) ?? '')
  const [ran = 0, deliveries = 0, unresponsive = 0, from = 0, now = 0] = numbers.map(Number)
  const isMove = numbers.every(text => /^\d{1,15}$/.test(text)) && now >= from
  return isMove
    ? { ran, deliveries, unresponsive, from, now, isPace: PACES.includes(c.req.query('way') ?? '') }
    : undefined
}
