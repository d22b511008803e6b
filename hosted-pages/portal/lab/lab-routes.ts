import { type Context, Hono } from 'hono'
import { answerPage, seeOther } from '../../answer.ts'
import { FIRST } from '../../find-organization.ts'
import { ofOrganization } from '../of-organization.ts'
import { portalPaths } from '../paths.ts'
import type { OrganizationSummary, PortalPort } from '../port.ts'
import { readForm } from '../read-form.ts'
import { type Visit, visitOf } from '../visit.ts'
import { type LabPage, labPage } from './lab-page.ts'
import type { LabPort, LabWish } from './lab-port.ts'

/** The signature lab: a call of the journal by its address, a pasted request by its form. Nothing is changed by either. */
export const labRoutes = (port: Pick<PortalPort, 'access' | 'organizations'> & { lab: LabPort }): Hono => {
  const { lab } = port
  const of = ofOrganization(port)
  const root = `${portalPaths.organizations}/:organizationId/lab`
  const page = (
    c: Context,
    organization: OrganizationSummary,
    more: Partial<LabPage> = {},
    form: Partial<Visit> = {},
  ) => {
    const shown = labPage(visitOf(c, port, form), {
      organization,
      refused: lab.refused(organization.organizationId),
      ...more,
    })
    return answerPage(c, shown, 'here', form.refused === undefined ? 200 : 400)
  }
  const examined = async (c: Context, organization: OrganizationSummary, wish: LabWish, typed: Visit['typed']) => {
    const found = await lab.examine(organization.organizationId, wish)
    return 'refused' in found
      ? page(c, organization, {}, { ...found, typed })
      : page(c, organization, { view: found.done, call: wish.call }, { typed })
  }
  return new Hono()
    .get(
      root,
      of((c, organization) => {
        const call = c.req.query('call')
        return call === undefined ? page(c, organization) : examined(c, organization, { call }, {})
      }),
    )
    .post(
      root,
      of(async (c, organization) => {
        const typed = await readForm(c)
        const { request = '', base = '' } = typed
        return examined(c, organization, { request, ...(base === '' ? {} : { base: linesOf(base) }) }, typed)
      }),
    )
    .get(`${portalPaths.root}/lab`, async c => {
      const [first] = (await port.organizations.list(FIRST)).found
      return seeOther(c, first ? portalPaths.lab(first.organizationId) : portalPaths.organizations)
    })
}

/** A form sends every line end as CR LF, whatever it was. */
const linesOf = (text: string): string => text.replaceAll('\r\n', '\n')
