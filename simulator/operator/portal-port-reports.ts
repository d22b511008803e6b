import type { ReportsPort } from '../../hosted-pages/portal/port.ts'
import { TYPES } from '../reports/daily-reports.ts'
import type { Operator } from './operator.ts'
import { wish } from './portal-port-wish.ts'

/** Daily reports as the portal sees them (4). */
export const reportsPortOf = ({ organizations, reports, clock }: Operator): ReportsPort => {
  const list: ReportsPort['list'] = (organizationId, query) =>
    wish(async () => reports.list(await organizations.known(organizationId), query))
  return {
    types: TYPES,
    list,
    finishDay: organizationId =>
      wish(async () => {
        const { nextAt } = await reports.list(await organizations.known(organizationId), {})
        return (await clock.goTo(organizationId, nextAt)).now
      }),
  }
}
