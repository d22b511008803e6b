import { instantOf, isoTime } from '../clock.ts'
import { DAY } from '../duration.ts'
import { ensure } from '../refusal.ts'
import { type DailyReport, dayOf, keyOfReport, reportsOf, TYPES } from '../reports/daily-reports.ts'
import type { Needs } from '../store/port.ts'
import type { Reading, ReadingContext } from './operation.ts'

/** All that a report is made of, for merchants and operators alike. */
type Whose = Pick<ReadingContext, 'organizationId' | 'postings'>

type ReportsQuery = {
  from: string
  to: string
  organizationId?: string | undefined
  contractualEntityId?: string | undefined
  processingAccountId?: string | undefined
  name?: string | undefined
  type?: string | undefined
}

const MOST_DAYS = 31
const NOTHING: Needs = {}

/** The daily reports of a stretch of days that are over, by what happened on them (4, D-75). */
export const reports = {
  needs: (query, { accountIds, now }): Needs => {
    const [first, last] = [dayOf(instantOf(query.from)), dayOf(instantOf(query.to))]
    ensure(first <= last, 'INVALID_INPUT', 'to lies before from: exchange the two.', { to: 'lies before from' })
    ensure(last - first < MOST_DAYS, 'INVALID_INPUT', `from and to span more than ${MOST_DAYS} days: ask in parts.`, {
      to: `lies more than ${MOST_DAYS} days behind from`,
    })
    const wanted = accountIds.filter(accountId => (query.processingAccountId ?? accountId) === accountId)
    return { postings: { accountIds: wanted, from: first * DAY, to: Math.min(last + 1, dayOf(now)) * DAY } }
  },
  decide: (query: ReportsQuery, context: Whose) => {
    const { organizationId, postings } = context
    const own = [query.organizationId, query.contractualEntityId].every(id => (id ?? organizationId) === organizationId)
    const types = TYPES.filter(type => (query.type ?? type) === type)
    const files = reportsOf(organizationId, own ? postings : [], types)
      .filter(({ name }) => (query.name ?? name) === name)
      .map(report => fileOf(report, context))
    return { answer: { files, totalCount: files.length } }
  },
} satisfies Reading<ReportsQuery>

/** One report as it is listed, made anew: the same in every byte, because a day that is over does not change. */
export const downloadReport = {
  needs: ({ reportId }, context): Needs => {
    const key = keyOfReport(context.organizationId, context.accountIds, reportId)
    if (!key || key.day >= dayOf(context.now)) return NOTHING
    return { postings: { accountIds: [key.accountId], from: key.day * DAY, to: (key.day + 1) * DAY } }
  },
  decide: ({ reportId }: { reportId: string }, { organizationId, postings }: Whose) => {
    const report = reportsOf(organizationId, postings).find(made => made.reportId === reportId.toLowerCase())
    ensure(report, 'REPORT_NOT_FOUND', 'There is no such report: GET /reports lists them.')
    return { answer: report.text, contentType: 'text/csv' }
  },
} satisfies Reading<{ reportId: string }>

const fileOf = (report: DailyReport, { organizationId }: Whose) => ({
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
