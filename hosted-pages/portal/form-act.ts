import type { Context } from 'hono'
import { seeOther } from '../answer.ts'
import { ofOrganization } from './of-organization.ts'
import type { OrganizationSummary, PortalPort } from './port.ts'
import { readForm, readTicks } from './read-form.ts'
import { type Done, type Visit, withDone } from './visit.ts'
import type { Wish } from './wish.ts'

/** Answers with a page, and with what came of a form that stands on it. */
export type Show = (c: Context, organization: OrganizationSummary, form?: Partial<Visit>) => Promise<Response>

export type Given = {
  organizationId: string
  /** What the address names below the organization; empty where it names nothing. */
  id: string
  typed: Readonly<Record<string, string>>
  types: readonly string[]
}

type Act = {
  ask(given: Given): Promise<Wish<unknown>>
  /** The page that says so where it cannot be done. */
  show: Show
  done: Done
  /** Where to look at what was made. */
  to(given: Given, made: string): string
}

const IDS = ['endpointId', 'deliveryId', 'keyId', 'fingerprint']

/** Does what a form asks for, then sends the browser on with GET: reload and back repeat nothing. */
export const formAct =
  (port: PortalPort) =>
  ({ ask, show, done, to }: Act) =>
    ofOrganization(port)(async (c, organization) => {
      const id = IDS.map(name => c.req.param(name)).find(value => value !== undefined) ?? ''
      const { organizationId } = organization
      const given = { organizationId, id, typed: await readForm(c), types: await readTicks(c, 'types') }
      const wish = await ask(given)
      if ('refused' in wish) return show(c, organization, { ...wish, typed: given.typed })
      return seeOther(c, withDone(to(given, String(wish.done)), done))
    })

/** A page that nobody has sent a form to. */
export const pageOf = (port: PortalPort) => (show: Show) =>
  ofOrganization(port)((c, organization) => show(c, organization))

/** A page that refuses a form says so in its status too. */
export const statusOf = ({ refused }: Partial<Visit>): 200 | 400 => (refused === undefined ? 200 : 400)
