import { createHash } from 'node:crypto'
import { isoTime } from '../clock.ts'
import { DAY } from '../duration.ts'
import type { BookedPosting } from '../payments/payment.ts'
import { csvOf } from './csv.ts'
import { REPORT_TYPES, type ReportType } from './report-types.ts'

/** One report: a kind of thing that happened on one account on one day, counted from 1970 in UTC (D-75). */
export type ReportKey = { accountId: string; type: ReportType; day: number }
export type DailyReport = ReportKey & { reportId: string; name: string; records: number; text: string }

export const TYPES = Object.keys(REPORT_TYPES) as ReportType[]

export const dayOf = (instant: number): number => Math.floor(instant / DAY)

/** The reports of the days on which something happened that they are about; by day, then account, then type. */
export const reportsOf = (
  organizationId: string,
  postings: readonly BookedPosting[],
  types: readonly ReportType[] = TYPES,
): DailyReport[] => {
  const days = Map.groupBy(postings, ({ at }) => dayOf(at))
  return [...days]
    .sort(([one], [other]) => one - other)
    .flatMap(([day, ofDay]) =>
      [...Map.groupBy(ofDay, ({ accountId }) => accountId)].flatMap(([accountId, ofAccount]) =>
        types.flatMap(type => reportOf(organizationId, { accountId, type, day }, ofAccount) ?? []),
      ),
    )
}

const reportOf = (
  organizationId: string,
  key: ReportKey,
  postings: readonly BookedPosting[],
): DailyReport | undefined => {
  const { covers, columns } = REPORT_TYPES[key.type]
  const covered = postings.filter(({ kind }) => covers.some(known => known === kind))
  if (covered.length === 0) return undefined
  const rows = covered.map(posting => columns.map(([, cell]) => cell(posting)))
  return {
    ...key,
    reportId: reportIdOf(organizationId, key),
    name: nameOf(key),
    records: rows.length,
    text: csvOf(
      columns.map(([header]) => header),
      rows,
    ),
  }
}

const nameOf = ({ accountId, type, day }: ReportKey): string =>
  `${type.toLowerCase().replaceAll('_', '-')}_${accountId}_${isoTime(day * DAY).slice(0, 10)}.csv`

/**
 * A UUID of our own making (RFC 9562, version 8) that is the same whenever it is asked for: the day stands in front,
 * so that a report is found without a list of all, and a digest of the whole key proves the rest.
 */
export const reportIdOf = (organizationId: string, { accountId, type, day }: ReportKey): string => {
  const digest = createHash('sha256')
    .update(JSON.stringify([organizationId, accountId, type, day]))
    .digest('hex')
  const front = day.toString(16).padStart(8, '0')
  return `${front}-${digest.slice(0, 4)}-8${digest.slice(4, 7)}-8${digest.slice(7, 10)}-${digest.slice(10, 22)}`
}

/** What a reportId of this organization stands for; undefined for anybody else's. */
export const keyOfReport = (
  organizationId: string,
  accountIds: readonly string[],
  reportId: string,
): ReportKey | undefined => {
  const day = Number.parseInt(reportId.slice(0, 8), 16)
  const candidates = accountIds.flatMap(accountId => TYPES.map(type => ({ accountId, type, day })))
  return candidates.find(key => reportIdOf(organizationId, key) === reportId.toLowerCase())
}
