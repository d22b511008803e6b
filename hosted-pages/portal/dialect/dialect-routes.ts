import { type Context, Hono } from 'hono'
import { respondWithPage } from '../../page-response.ts'
import { formRoute, pageRoute, type ShowPage, type Submitted, statusOf } from '../forms/form-and-page-handlers.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import type { OrganizationPages } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { type ChosenDecisions, dialectPage } from './dialect-page.ts'

/** Features of the simulator that the portal's page of an organization's dialect needs. */
export type DialectFeatures = OrganizationPages & {
  organizationDialects: {
    of: (organizationId: string) => { lines: { name?: string } }
    /** The text of the organization's own profile; undefined where it speaks the usual dialect. */
    text: (organizationId: string) => Promise<string | undefined>
    decisions: (organizationId: string) => ChosenDecisions
    set: (organizationId: string, profile: string) => Promise<unknown>
    clear: (organizationId: string) => Promise<unknown>
  }
}

const here = `${portalPaths.organizations}/:organizationId/dialect`

/** Creates the routes of the portal page that shows and sets the dialect of an organization. */
export const dialectRoutes = (features: DialectFeatures): Hono => {
  const { organizationDialects } = features
  const form = formRoute(features)
  const show: ShowPage = async (c: Context, organization, form = {}) => {
    const { organizationId } = organization
    const { lines } = organizationDialects.of(organizationId)
    const dialect = {
      name: lines.name ?? (Object.keys(lines).length === 0 ? 'our own' : 'a profile without a name'),
      profile: await organizationDialects.text(organizationId),
      decisions: organizationDialects.decisions(organizationId),
    }
    return respondWithPage(
      c,
      dialectPage(pageRequestData(c, features, form), organization, dialect),
      'here',
      statusOf(form),
    )
  }
  /** A browser sends CRLF for every line end. */
  const set = ({ organizationId, typed: { profile = '' } }: Submitted) =>
    organizationDialects.set(organizationId, profile.replaceAll('\r\n', '\n'))
  const clear = ({ organizationId }: Submitted) => organizationDialects.clear(organizationId)
  const to = ({ organizationId }: Submitted) => portalPaths.dialect(organizationId)
  return new Hono()
    .get(here, pageRoute(features)(show))
    .post(here, form({ submit: set, show, field: 'profile', done: 'dialect-spoken', to }))
    .post(`${here}/usual`, form({ submit: clear, show, done: 'usual-dialect', to }))
}
