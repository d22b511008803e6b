import type { AccessPort, PortalPort } from '../../hosted-pages/portal/port.ts'
import type { Operator } from './operator.ts'
import { livePortsOf } from './portal-live.ts'
import { capabilitiesPortOf } from './portal-port-capabilities.ts'
import { conductPortOf } from './portal-port-conduct.ts'
import { identitiesPortOf } from './portal-port-identities.ts'
import { labPortOf } from './portal-port-lab.ts'
import { reportsPortOf } from './portal-port-reports.ts'
import { webhooksPortOf } from './portal-port-webhooks.ts'
import { wish } from './portal-port-wish.ts'

type Organization = Pick<NonNullable<Awaited<ReturnType<Operator['find']>>>, 'organizationId' | 'accountIds'>

/** The operator as the portal sees it: every function is the one behind the REST twin. */
export const portalPortOf = (operator: Operator, access: AccessPort): PortalPort => {
  const summary = ({ organizationId, accountIds }: Organization) => ({
    organizationId,
    accountIds,
    now: operator.now(organizationId),
    rate: operator.rate(organizationId),
  })
  return {
    access,
    organizations: {
      list: async wanted => {
        const { found, ...counts } = await operator.some(wanted)
        return { found: found.map(summary), ...counts }
      },
      find: async organizationId => {
        const found = await operator.find(organizationId)
        return found && summary(found)
      },
      create: wanted => wish(async () => (await operator.organizations.create(wanted)).organizationId),
    },
    identities: identitiesPortOf(operator),
    webhooks: webhooksPortOf(operator),
    reports: reportsPortOf(operator),
    capabilities: capabilitiesPortOf(operator),
    lab: labPortOf(operator),
    conduct: conductPortOf(operator),
    ...livePortsOf(operator),
  }
}
