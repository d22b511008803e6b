import { type Exchange, isServed, responseJson } from '../../client/http-exchange.ts'
import { yesterday } from '../../client/wall-clock.ts'
import { REPORTS_SCOPE } from '../../operations.ts'
import { isJsonObject } from '../../protocol/canonical-json.ts'
import type { TestOrganization } from '../context/test-organization.ts'

const REPORTS = { scope: REPORTS_SCOPE }
/** Number of listed ids that are tried. */
const TRIED = 3

/** Lists the reports of yesterday for a check; each service that has reports has those (4). */
export const listReports = ({ merchant }: Pick<TestOrganization, 'merchant'>): Promise<Exchange> =>
  merchant.request('reports', { ...REPORTS, query: { from: yesterday(), to: yesterday() } })

/** Downloads a report for a check of the grid. */
export const downloadReport = ({ merchant }: Pick<TestOrganization, 'merchant'>, reportId: string): Promise<Exchange> =>
  merchant.request('downloadReport', { ...REPORTS, query: { reportId } })

/** Finds possible report ids in a list whose form is not shown (2.9): members called id or reportId; the first few. */
export const findReportIds = (list: Exchange): string[] =>
  isServed(list) ? [...new Set(idsIn(responseJson(list)))].slice(0, TRIED) : []

const idsIn = (json: unknown): string[] => {
  if (Array.isArray(json)) return json.flatMap(idsIn)
  if (!isJsonObject(json)) return []
  return Object.entries(json).flatMap(([name, value]) =>
    /^(report[-_]?)?id$/i.test(name) && (typeof value === 'string' || typeof value === 'number')
      ? [String(value)]
      : idsIn(value),
  )
}
