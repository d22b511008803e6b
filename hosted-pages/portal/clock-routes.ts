import { type Context, Hono } from 'hono'
import { answerPage, seeOther } from '../answer.ts'
import { clockPage } from './clock-page.ts'
import type { ClockMove, ClockMoved, ClockPort } from './live-port.ts'
import { ofOrganization } from './of-organization.ts'
import { portalPaths } from './paths.ts'
import type { OrganizationSummary, PortalPort } from './port.ts'
import { readForm } from './read-form.ts'
import { type Visit, visitOf } from './visit.ts'

/** The clock: looked at and moved. What a move brought about stands in the address, so that reload moves nothing. */
export const clockRoutes = (port: Pick<PortalPort, 'access' | 'organizations'> & { clock: ClockPort }): Hono => {
  const { clock } = port
  const of = ofOrganization(port)
  const root = `${portalPaths.organizations}/:organizationId/clock`
  const page = async (c: Context, organization: OrganizationSummary, form: Partial<Visit> = {}) => {
    const state = await clock.look(organization.organizationId)
    const shown = clockPage(visitOf(c, port, form), organization, state, toldIn(c))
    return answerPage(c, shown, 'here', form.refused === undefined ? 200 : 400)
  }
  return new Hono()
    .get(
      root,
      of((c, organization) => page(c, organization)),
    )
    .post(
      root,
      of(async (c, organization) => {
        const typed = await readForm(c)
        const move = moveIn(typed)
        const { organizationId } = organization
        if (!move) return seeOther(c, portalPaths.clock(organizationId))
        const wish = await clock.move(organizationId, move)
        if ('refused' in wish) return page(c, organization, { ...wish, typed })
        const told = new URLSearchParams(Object.entries(wish.done).map(([name, value]) => [name, String(value)]))
        return seeOther(c, `${portalPaths.clock(organizationId)}?${told}`)
      }),
    )
}

const PLAIN = ['next', 'freeze', 'real', 'drain'] as const

const moveIn = ({ way, duration = '', rate = '' }: Record<string, string>): ClockMove | undefined => {
  if (way === 'advance') return { way, duration: duration.trim().toUpperCase() }
  if (way === 'scale') return { way, rate: rate.trim() }
  const plain = PLAIN.find(one => one === way)
  return plain && { way: plain }
}

const toldIn = (c: Context): ClockMoved | undefined => {
  const [ran, deliveries, from, now] = ['ran', 'deliveries', 'from', 'now'].map(name => c.req.query(name))
  const numbers = [ran, deliveries, from, now].map(text =>
    text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : -1,
  )
  const [a = -1, b = -1, d = -1, e = -1] = numbers
  return numbers.some(one => one < 0) || e < d ? undefined : { ran: a, deliveries: b, from: d, now: e }
}
