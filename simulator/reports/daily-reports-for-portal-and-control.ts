import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { Store } from '../store/store.ts'
import { type Clock, isoTime, parseExactInstant } from '../support/clock.ts'
import { ControlError, requireOneOf } from '../support/control-error.ts'
import { DAY } from '../support/duration.ts'
import { Refusal } from '../support/refusal.ts'
import { REPORT_TYPES } from './daily-report-types-and-sandbox-fee.ts'
import { toDay } from './daily-reports.ts'
import {
  type FileRules,
  type ReportOwner,
  type ReportQuery,
  reportFile,
  reportFiles,
} from './list-and-generate-daily-reports.ts'

/** Filter of daily reports: both days inclusive; without an account or type all of them. */
export type ReportFilter = Partial<Record<'from' | 'to' | 'processingAccountId' | 'type', string | undefined>>

type Parts = { store: Store; clock: Clock; jobs: JobScheduler; rulesOf: (organizationId: string) => FileRules }

const MONTH = 30 * DAY

/** Creates the reader of daily reports for portal and control, the same that merchants get over the API (4, D-75). */
export const createReportReader = ({ store, clock, jobs, rulesOf }: Parts) => {
  const read = async <Request, Result>(
    { organizationId, accountIds }: ReportOwner,
    { needs, decide }: ReportQuery<Request, Result>,
    request: Request,
  ): Promise<Result> => {
    await jobs.catchUp(organizationId)
    const asked = { organizationId, accountIds, now: clock.now(organizationId) }
    return withControlErrors(() =>
      store.transact({
        organizationId,
        now: asked.now,
        needs: needs(request, asked),
        decide: ({ ledgerEntries }) => ({
          result: decide(request, { organizationId, ledgerEntries, rules: rulesOf(organizationId) }),
        }),
      }),
    )
  }

  return {
    types: Object.keys(REPORT_TYPES),

    /** Reports of completed days, by default of the last thirty; `nextAt` is when the current day ends. */
    list: async (organization: ReportOwner, { from, to, ...filter }: ReportFilter) => {
      const { organizationId, accountIds } = organization
      const now = clock.now(organizationId)
      if (filter.processingAccountId !== undefined)
        requireOneOf('processingAccountId', filter.processingAccountId, accountIds)
      if (filter.type !== undefined) requireOneOf('type', filter.type, Object.keys(REPORT_TYPES))
      const days = { from: dayIn('from', from ?? isoTime(now - MONTH)), to: dayIn('to', to ?? isoTime(now)) }
      const files = await read(organization, reportFiles, { ...days, ...filter })
      return { ...days, files, nextAt: (toDay(now) + 1) * DAY }
    },

    /** The CSV text of a report, and its name. */
    download: (organization: ReportOwner, reportId: string) => read(organization, reportFile, { reportId }),
  }
}

const DAY_OF_MONTH = /^\d{4}-\d\d-\d\d$/

/** Reads a day, or a time, of which the day in UTC is used as over the API. */
const dayIn = (member: string, text: string): string => {
  const instant = parseExactInstant(DAY_OF_MONTH.test(text) ? `${text}T00:00Z` : text)
  const day = Number.isNaN(instant) ? '' : isoTime(instant).slice(0, 10)
  if (DAY_OF_MONTH.test(day)) return day
  throw new ControlError('invalid', `${member} is ${JSON.stringify(text.slice(0, 40))}: give a day such as 2026-01-31.`)
}

/** Converts a Refusal of the contract to a control error with the same message. */
const withControlErrors = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new ControlError(error.row.http === 404 ? 'unknown' : 'invalid', error.message)
  }
}
