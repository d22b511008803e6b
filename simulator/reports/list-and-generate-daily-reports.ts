import type { ReportForm } from '../../contracts/dialect/csv-report-form.ts'
import type { Organization } from '../store/organization-store.ts'
import type { Loaded, ReadSet } from '../store/unit-of-work.ts'
import { isoTime, parseInstant } from '../support/clock.ts'
import { DAY, SECOND } from '../support/duration.ts'
import { ensure } from '../support/refusal.ts'
import { createDailyReports, type DailyReport, findReportKey, REPORT_TYPE_NAMES, toDay } from './daily-reports.ts'

export type ReportOwner = Pick<Organization, 'organizationId' | 'accountIds'>
/** Rules by which the report files of an organization are made: its dialect's form of reports. */
export type FileRules = { reportForm: ReportForm }

type ReportInput = Pick<ReportOwner, 'organizationId'> & Pick<Loaded, 'ledgerEntries'> & { rules: FileRules }

/** A query of the daily reports, for merchants and operators alike: what it reads, and its result. Pure. */
export type ReportQuery<Request, Result> = {
  needs(request: Request, asked: ReportOwner & { now: number; isAnyRange?: boolean }): ReadSet
  decide(request: Request, input: ReportInput): Result
}

export type ReportsRequest = {
  from: string
  to: string
  organizationId?: string | undefined
  contractualEntityId?: string | undefined
  processingAccountId?: string | undefined
  name?: string | undefined
  type?: string | undefined
}

const MAX_DAYS = 31

/**
 * Definition of the query for the list of reports: names the ledger entries of a range of at most 31 past days, and
 * creates the report files from them (4, D-75).
 */
export const reportFiles = {
  needs: (query, { accountIds, now, isAnyRange = false }) => {
    const [first, last] = [toDay(parseInstant(query.from)), toDay(parseInstant(query.to))]
    ensure(first <= last, 'INVALID_INPUT', 'to is before from: exchange the two.', { to: 'is before from' })
    ensure(
      isAnyRange || last - first < MAX_DAYS,
      'INVALID_INPUT',
      `from and to span more than ${MAX_DAYS} days: ask in parts.`,
      {
        to: `is more than ${MAX_DAYS} days after from`,
      },
    )
    const wanted = accountIds.filter(accountId => (query.processingAccountId ?? accountId) === accountId)
    return { ledgerEntries: { accountIds: wanted, from: first * DAY, to: Math.min(last + 1, toDay(now)) * DAY } }
  },
  decide: (query: ReportsRequest, { organizationId, ledgerEntries, rules }: ReportInput) => {
    const own = [query.organizationId, query.contractualEntityId].every(id => (id ?? organizationId) === organizationId)
    const types = REPORT_TYPE_NAMES.filter(type => (query.type ?? type) === type)
    return createDailyReports(organizationId, own ? ledgerEntries : [], rules.reportForm, types)
      .filter(({ name }) => (query.name ?? name) === name)
      .map(report => fileOf(report, organizationId))
  },
} satisfies ReportQuery<ReportsRequest, object[]>

/** Definition of the query that generates one report as CSV; identical each time, because past days do not change. */
export const reportFile: ReportQuery<{ reportId: string }, Pick<DailyReport, 'name' | 'text'>> = {
  needs: ({ reportId }, { organizationId, accountIds, now }) => {
    const key = findReportKey(organizationId, accountIds, reportId)
    if (!key || key.day >= toDay(now)) return {}
    return { ledgerEntries: { accountIds: [key.accountId], from: key.day * DAY, to: (key.day + 1) * DAY } }
  },
  decide: ({ reportId }, { organizationId, ledgerEntries, rules }) => {
    const reports = createDailyReports(organizationId, ledgerEntries, rules.reportForm)
    const report = reports.find(made => made.reportId === reportId.toLowerCase())
    ensure(report, 'REPORT_NOT_FOUND', 'There is no such report: GET /reports lists them.')
    return report
  },
}

const fileOf = (report: DailyReport, organizationId: string) => ({
  reportId: report.reportId,
  organizationId,
  contractualEntityId: organizationId,
  processingAccountId: report.accountId,
  reportType: report.type,
  periodStart: isoTime(report.day * DAY),
  periodEnd: isoTime((report.day + 1) * DAY - SECOND),
  name: report.name,
  fileSize: Buffer.byteLength(report.text),
  numberOfRecords: report.records,
  createdAt: isoTime((report.day + 1) * DAY),
})
