import { Hono } from 'hono'
import { respondWithPage } from '../../page-response.ts'
import { formRoute, pageRoute, type ShowPage, type Submitted, statusOf } from '../forms/form-and-page-handlers.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import type { OrganizationPages } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import {
  type Mock,
  type ScenarioFilter,
  type ScenarioSummary,
  scenariosPage,
  scenariosPath,
} from './scenarios-and-mocks-page.ts'

/** Features of the simulator that the portal's page of scenarios and mocks needs. */
export type ScenarioFeatures = OrganizationPages & {
  scenarioSummaries: () => readonly ScenarioSummary[]
  mocks: {
    /** Newest first. */
    list: (organizationId: string) => Promise<readonly Mock[]>
    set: (organizationId: string, mock: object) => Promise<unknown>
  }
}

const FILTERS = ['q', 'method', 'step', 'outcome', 'use', 'from'] as const

/** Creates the routes of the portal's catalogue of scenarios, and of the mocks set from it (2.7). */
export const scenarioRoutes = (features: ScenarioFeatures): Hono => {
  const { scenarioSummaries, mocks } = features
  const root = `${portalPaths.organizations}/:organizationId/scenarios`
  const show: ShowPage = async (c, organization, form = {}) => {
    const set = await mocks.list(organization.organizationId)
    const shown = {
      organization,
      filter: filterIn({ ...c.req.query(), ...form.typed }),
      all: scenarioSummaries(),
      mocks: set,
    }
    return respondWithPage(c, scenariosPage(pageRequestData(c, features, form), shown), 'here', statusOf(form))
  }
  const setMock = ({ organizationId, typed }: Submitted) => {
    const { keyType, key: value, oneTime, ...rest } = typed
    const mock = Object.fromEntries(Object.entries(rest).filter(([name]) => !FILTERS.some(one => one === name)))
    return mocks.set(organizationId, { ...mock, key: { type: keyType, value }, oneTime: oneTime === 'yes' })
  }
  const toSame = ({ organizationId, typed }: Submitted) => scenariosPath(organizationId, filterIn(typed))
  return new Hono()
    .get(root, pageRoute(features)(show))
    .post(root, formRoute(features)({ submit: setMock, show, field: 'scenario', done: 'mock-set', to: toSame }))
}

const filterIn = (asked: Readonly<Record<string, string>>): ScenarioFilter =>
  Object.fromEntries(FILTERS.map(name => [name, asked[name]?.trim()]))
