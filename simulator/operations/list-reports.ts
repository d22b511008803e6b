import {
  createDailyReports,
  type DailyReport,
  findReportKey,
  REPORT_TYPE_NAMES,
  toDay,
} from '../reports/daily-reports.ts'
import type { ReadSet } from '../store/unit-of-work.ts'
import { isoTime, parseInstant } from '../support/clock.ts'
import { DAY } from '../support/duration.ts'
import { ensure } from '../support/refusal.ts'
import type { QueryContext, QueryOperation } from './operation.ts'

/** Input of the daily reports, for merchants and operators alike. */
type ReportInput = Pick<QueryContext, 'organizationId' | 'ledgerEntries'>

type ReportsQuery = {
  from: string
  to: string
  organizationId?: string | undefined
  contractualEntityId?: string | undefined
  processingAccountId?: string | undefined
  name?: string | undefined
  type?: string | undefined
}

const MAX_DAYS = 31

/** Operation `reports`: lists the daily reports of a range of past days (4, D-75). */
export const listReports = {
  needs: (query, { accountIds, now }): ReadSet => {
    const [first, last] = [toDay(parseInstant(query.from)), toDay(parseInstant(query.to))]
    ensure(first <= last, 'INVALID_INPUT', 'to is before from: exchange the two.', { to: 'is before from' })
    ensure(last - first < MAX_DAYS, 'INVALID_INPUT', `from and to span more than ${MAX_DAYS} days: ask in parts.`, {
      to: `is more than ${MAX_DAYS} days after from`,
    })
    const wanted = accountIds.filter(accountId => (query.processingAccountId ?? accountId) === accountId)
    return { ledgerEntries: { accountIds: wanted, from: first * DAY, to: Math.min(last + 1, toDay(now)) * DAY } }
  },
  decide: (query: ReportsQuery, context: ReportInput) => {
    const { organizationId, ledgerEntries } = context
    const own = [query.organizationId, query.contractualEntityId].every(id => (id ?? organizationId) === organizationId)
    const types = REPORT_TYPE_NAMES.filter(type => (query.type ?? type) === type)
    const files = createDailyReports(organizationId, own ? ledgerEntries : [], types)
      .filter(({ name }) => (query.name ?? name) === name)
      .map(report => fileOf(report, context))
    return { answer: { files, totalCount: files.length } }
  },
} satisfies QueryOperation<ReportsQuery>

/** Operation `downloadReport`: generates one report as CSV; identical each time, because past days do not change. */
export const downloadReport = {
  needs: ({ reportId }, context): ReadSet => {
    const key = findReportKey(context.organizationId, context.accountIds, reportId)
    if (!key || key.day >= toDay(context.now)) return {}
    return { ledgerEntries: { accountIds: [key.accountId], from: key.day * DAY, to: (key.day + 1) * DAY } }
  },
  decide: ({ reportId }: { reportId: string }, { organizationId, ledgerEntries }: ReportInput) => {
    const report = createDailyReports(organizationId, ledgerEntries).find(
      made => made.reportId === reportId.toLowerCase(),
    )
    ensure(report, 'REPORT_NOT_FOUND', 'There is no such report: GET /reports lists them.')
    return { answer: report.text, contentType: 'text/csv' }
  },
} satisfies QueryOperation<{ reportId: string }>

const fileOf = (report: DailyReport, { organizationId }: ReportInput) => ({
  reportId: report.reportId,
  organizationId,
  contractualEntityId: organizationId,
  processingAccountId: report.accountId,
  reportType: report.type,
  periodStart: isoTime(report.day * DAY),
  periodEnd: isoTime((report.day + 1) * DAY),
  name: report.name,
  fileSize: Buffer.byteLength(report.text),
  numberOfRecords: report.records,
  createdAt: isoTime((report.day + 1) * DAY),
})
