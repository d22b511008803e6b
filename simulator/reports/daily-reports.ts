import { createHash } from 'node:crypto'
import type { ReportForm } from '../../contracts/dialect/csv-report-form.ts'
import type { StoredLedgerEntry } from '../payments/payment.ts'
import { isoTime } from '../support/clock.ts'
import { toCsv } from '../support/csv.ts'
import { DAY } from '../support/duration.ts'
import { REPORT_TYPES, type ReportType } from './daily-report-types-and-sandbox-fee.ts'

/** Key of a daily report: account, report type, and day as days since 1970 in UTC (D-75). */
type ReportKey = { accountId: string; type: ReportType; day: number }
export type DailyReport = ReportKey & { reportId: string; name: string; records: number; text: string }

export const REPORT_TYPE_NAMES = Object.keys(REPORT_TYPES) as ReportType[]

/** Converts an instant to the number of its day, by which reports are grouped. */
export const toDay = (instant: number): number => Math.floor(instant / DAY)

/** Creates the daily reports of ledger entries, ordered by day, account and type; empty reports are left out. */
export const createDailyReports = (
  organizationId: string,
  ledgerEntries: readonly StoredLedgerEntry[],
  form: ReportForm,
  types: readonly ReportType[] = REPORT_TYPE_NAMES,
): DailyReport[] => {
  const days = Map.groupBy(ledgerEntries, ({ at }) => toDay(at))
  return [...days]
    .sort(([one], [other]) => one - other)
    .flatMap(([day, ofDay]) =>
      [...Map.groupBy(ofDay, ({ accountId }) => accountId)].flatMap(([accountId, ofAccount]) =>
        types.flatMap(type => reportOf(organizationId, { accountId, type, day }, ofAccount, form) ?? []),
      ),
    )
}

const reportOf = (
  organizationId: string,
  key: ReportKey,
  ledgerEntries: readonly StoredLedgerEntry[],
  form: ReportForm,
): DailyReport | undefined => {
  const { covers, columns } = REPORT_TYPES[key.type]
  const covered = ledgerEntries.filter(({ kind }) => covers.some(known => known === kind))
  if (covered.length === 0) return undefined
  const reportId = deriveReportId(organizationId, key)
  const rows = covered.map(entry => columns.map(([header, cell]) => form.cell(header, cell(entry))))
  return {
    ...key,
    reportId,
    name: nameOf(key, reportId),
    records: rows.length,
    text: toCsv(
      columns.map(([header]) => form.header(header)),
      rows,
    ),
  }
}

const nameOf = ({ accountId, type, day }: ReportKey, reportId: string): string =>
  [
    type,
    accountId,
    reportId,
    isoTime(day * DAY)
      .slice(0, 10)
      .replaceAll('-', ''),
  ].join('_')

/** First digits of the third and fourth group of a UUID of version 8 (RFC 9562). */
const [VERSION, VARIANT] = ['8', '8']

/**
 * Derives a report's id, a UUID version 8, from its key: the day comes first, so that a report can be found by its id
 * without an index, then a digest of the organization and the key.
 */
const deriveReportId = (organizationId: string, { accountId, type, day }: ReportKey): string => {
  const digest = createHash('sha256')
    .update(JSON.stringify([organizationId, accountId, type, day]))
    .digest('hex')
  return [
    day.toString(16).padStart(8, '0'),
    digest.slice(0, 4),
    VERSION + digest.slice(4, 7),
    VARIANT + digest.slice(7, 10),
    digest.slice(10, 22),
  ].join('-')
}

/** Finds the account, type and day of an organization's report by its id; undefined for an id of another one. */
export const findReportKey = (
  organizationId: string,
  accountIds: readonly string[],
  reportId: string,
): ReportKey | undefined => {
  const day = Number.parseInt(reportId.slice(0, 8), 16)
  const candidates = accountIds.flatMap(accountId => REPORT_TYPE_NAMES.map(type => ({ accountId, type, day })))
  return candidates.find(key => deriveReportId(organizationId, key) === reportId.toLowerCase())
}
