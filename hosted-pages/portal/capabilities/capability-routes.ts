import { type Context, Hono } from 'hono'
import { respondWithPage, seeOther } from '../../page-response.ts'
import { statusOf } from '../forms/form-and-page-handlers.ts'
import { formResult } from '../forms/form-result.ts'
import { readCheckedValues, readFormValues } from '../forms/form-values.ts'
import { type PageRequestData, pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { respondNotFoundIn } from '../layout/not-found-page.ts'
import { type Organization, type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { type CapabilityTable, capabilitiesPage } from './payment-method-capabilities-page.ts'

/** Features of the simulator that the portal's page of capabilities needs. */
export type CapabilityFeatures = OrganizationPages & {
  capabilities: {
    /** By capability, what each payment method supports by the contract. */
    usual: CapabilityTable
    /** By payment method, what the account supports now. */
    find: (organizationId: string, accountId: string) => Promise<{ capabilities: CapabilityTable }>
    /** Replaces what the account supports otherwise than by the contract. */
    override: (organizationId: string, accountId: string, overrides: CapabilityTable) => Promise<unknown>
  }
}

const here = `${portalPaths.organizations}/:organizationId/capabilities`

/** Creates the routes of the portal page that shows and sets what payment methods support on accounts. */
export const capabilityRoutes = (features: CapabilityFeatures): Hono => {
  const { capabilities } = features
  const { usual } = capabilities
  const methods = [...new Set(Object.values(usual).flatMap(row => Object.keys(row)))]
  const route = withOrganization(features)

  const show = async (
    c: Context,
    organization: Organization,
    accountId: string,
    form: Partial<PageRequestData> = {},
  ) => {
    const { organizationId, accountIds } = organization
    if (!accountIds.includes(accountId)) return respondNotFoundIn(c, organization, 'capabilities', 'processing account')
    const { capabilities: supported } = await capabilities.find(organizationId, accountId)
    const page = capabilitiesPage(pageRequestData(c, features, form), organization, {
      accountId,
      methods,
      supported,
      usual,
    })
    return respondWithPage(c, page, 'here', statusOf(form))
  }
  const set = (overridesIn: (c: Context) => Promise<CapabilityTable>) =>
    route(async (c, organization) => {
      const { organizationId, accountIds } = organization
      const { account = '' } = await readFormValues(c)
      if (!accountIds.includes(account)) return respondNotFoundIn(c, organization, 'capabilities', 'processing account')
      const overrides = await overridesIn(c)
      const result = await formResult(() => capabilities.override(organizationId, account, overrides))
      if ('refused' in result) return show(c, organization, account, result)
      const path = portalPaths.capabilities(organizationId)
      return seeOther(c, `${path}?account=${encodeURIComponent(account)}&done=capabilities-set`)
    })
  /** Only what differs from the contract; the form names what is checked as METHOD.capability. */
  const checkedOverrides = async (c: Context) => {
    const checked = await readCheckedValues(c, 'able')
    const overridesOf = (method: string) =>
      Object.entries(usual)
        .map(([name, row]) => [name, checked.includes(`${method}.${name}`), row[method]] as const)
        .filter(([, now, usual]) => now !== usual)
        .map(([name, now]) => [name, now])
    return Object.fromEntries(methods.map(method => [method, Object.fromEntries(overridesOf(method))]))
  }
  return new Hono()
    .get(
      here,
      route((c, organization) => show(c, organization, c.req.query('account') ?? organization.accountIds[0] ?? '')),
    )
    .post(here, set(checkedOverrides))
    .post(
      `${here}/usual`,
      set(async () => ({})),
    )
}
