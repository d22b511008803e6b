import { Hono } from 'hono'
import { seeOther } from '../../page-response.ts'
import { formRoute, noteCreated, type ShowPage, type Submitted } from '../forms/form-and-page-handlers.ts'
import { formResult } from '../forms/form-result.ts'
import { readFormValues } from '../forms/form-values.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { madeTokenCookie } from './made-token-cookie.ts'

/** The feature of the simulator by which the portal makes and revokes control tokens of an organization. */
export type ControlTokenFeature = {
  controlTokens: {
    /** Makes a token with a role; its text is in the result alone. */
    create: (organizationId: string, name: string, role: string) => Promise<{ tokenId: string; token: string }>
    revoke: (organizationId: string, tokenId: string) => Promise<unknown>
  }
}

const all = `${portalPaths.organizations}/:organizationId/control-tokens`

/** Creates the portal's routes that make and revoke control tokens; the page after a new one shows its text, once. */
export const controlTokenRoutes = (features: OrganizationPages & ControlTokenFeature, show: ShowPage): Hono => {
  const { create, revoke } = features.controlTokens
  const submit = ({ organizationId, id }: Submitted) => revoke(organizationId, id)
  const to = ({ organizationId }: Submitted) => portalPaths.identities(organizationId)
  const make = withOrganization(features)(async (c, organization) => {
    const typed = await readFormValues(c)
    const result = await formResult(() => create(organization.organizationId, typed.name ?? '', typed.role ?? ''))
    if ('refused' in result) return show(c, organization, { ...result, typed })
    noteCreated(c, result.done)
    const { organizationId } = organization
    c.header('Set-Cookie', madeTokenCookie(organizationId, result.done, features.access.pagesUrl))
    return seeOther(c, `${portalPaths.identities(organizationId)}?made=${result.done.tokenId}`)
  })
  return new Hono()
    .post(all, make)
    .post(`${all}/:tokenId/revoke`, formRoute(features)({ submit, show, done: 'control-token-revoked', to }))
}
