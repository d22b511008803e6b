import { type Context, Hono } from 'hono'
import { answerNotFound, answerPage, seeOther } from '../answer.ts'
import { capabilitiesPage } from './capabilities-page.ts'
import { ofOrganization } from './of-organization.ts'
import { portalPaths } from './paths.ts'
import type { OrganizationSummary, PortalPort } from './port.ts'
import { readForm, readTicks } from './read-form.ts'
import { visitOf } from './visit.ts'

const here = `${portalPaths.organizations}/:organizationId/capabilities`

/** What methods can do on accounts: looked at, set, put back to what is usual. */
export const capabilityRoutes = (port: PortalPort): Hono => {
  const { capabilities } = port
  const of = ofOrganization(port)
  const show = async (
    c: Context,
    organization: OrganizationSummary,
    accountId: string,
    refusal?: { refused: string },
  ) => {
    if (!organization.accountIds.includes(accountId)) return answerNotFound(c)
    const matrix = await capabilities.of(organization.organizationId, accountId)
    const account = { accountId, methods: capabilities.methods, matrix }
    return answerPage(
      c,
      capabilitiesPage(visitOf(c, port, refusal), organization, account),
      'here',
      refusal ? 400 : 200,
    )
  }
  const set = (readAble: (c: Context) => Promise<string[] | undefined>) =>
    of(async (c, organization) => {
      const { organizationId, accountIds } = organization
      const { account = '' } = await readForm(c)
      if (!accountIds.includes(account)) return answerNotFound(c)
      const wish = await capabilities.set(organizationId, account, await readAble(c))
      if ('refused' in wish) return show(c, organization, account, wish)
      return seeOther(
        c,
        `${portalPaths.capabilities(organizationId)}?account=${encodeURIComponent(account)}&done=capabilities-set`,
      )
    })
  return new Hono()
    .get(
      here,
      of((c, organization) => show(c, organization, c.req.query('account') ?? organization.accountIds[0] ?? '')),
    )
    .post(
      here,
      set(c => readTicks(c, 'able')),
    )
    .post(
      `${here}/usual`,
      set(async () => undefined),
    )
}
