import { type Context, Hono } from 'hono'
import { answerPage, seeOther } from '../answer.ts'
import type { ScenariosPort } from './live-port.ts'
import { ofOrganization } from './of-organization.ts'
import { portalPaths } from './paths.ts'
import type { OrganizationSummary, PortalPort } from './port.ts'
import { readForm } from './read-form.ts'
import { type ScenarioWish, scenariosPage } from './scenarios-page.ts'
import { type Visit, visitOf, withDone } from './visit.ts'

const WISHES = ['q', 'method', 'step', 'outcome', 'use', 'from'] as const

/** The catalogue, and the mocks that are set from it (2.7). */
export const scenarioRoutes = (
  port: Pick<PortalPort, 'access' | 'organizations'> & { scenarios: ScenariosPort },
): Hono => {
  const { scenarios } = port
  const of = ofOrganization(port)
  const root = `${portalPaths.organizations}/:organizationId/scenarios`
  const page = async (c: Context, organization: OrganizationSummary, form: Partial<Visit> = {}) => {
    const mocks = await scenarios.mocks(organization.organizationId)
    const shown = { organization, wish: wishIn(c), all: scenarios.all(), mocks }
    return answerPage(c, scenariosPage(visitOf(c, port, form), shown), 'here', form.refused === undefined ? 200 : 400)
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
        const { oneTime, ...wanted } = typed
        const wish = await scenarios.setMock(organization.organizationId, { ...wanted, oneTime: oneTime === 'yes' })
        if ('refused' in wish) return page(c, organization, { ...wish, typed })
        return seeOther(c, withDone(portalPaths.scenarios(organization.organizationId), 'mock-set'))
      }),
    )
}

const wishIn = (c: Context): ScenarioWish => Object.fromEntries(WISHES.map(name => [name, c.req.query(name)?.trim()]))
