import { type Clock, instantOf, isoTime } from '../clock.ts'
import { DAY } from '../duration.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { downloadReport, reports } from '../operations/reports.ts'
import { Refusal } from '../refusal.ts'
import { dayOf } from '../reports/daily-reports.ts'
import { REPORT_TYPES } from '../reports/report-types.ts'
import type { Loaded, Needs, Organization, Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'

/** Which reports: both days included, all accounts and types where none is named. */
export type ReportWish = Partial<Record<'from' | 'to' | 'processingAccountId' | 'type', string | undefined>>

type Parts = { store: Store; clock: Clock; jobs: Jobs }
type Whose = Pick<Organization, 'organizationId' | 'accountIds'>
type Reading<Request, Answer> = {
  needs(request: Request, asked: Whose & { now: number }): Needs
  decide(request: Request, loaded: Pick<Whose, 'organizationId'> & Pick<Loaded, 'postings'>): Answer
}

const MONTH = 30 * DAY

/** The daily reports as the operator gets them: the same that merchants list and download (4, D-75). */
export const createReports = ({ store, clock, jobs }: Parts) => {
  const read = async <Request, Answer>(
    { organizationId, accountIds }: Whose,
    { needs, decide }: Reading<Request, Answer>,
    request: Request,
  ): Promise<Answer> => {
    await jobs.catchUp(organizationId)
    const asked = { organizationId, accountIds, now: clock.now(organizationId) }
    return understood(() =>
      store.perform({
        organizationId,
        now: asked.now,
        needs: needs(request, asked),
        decide: ({ postings }) => ({ result: decide(request, { organizationId, postings }) }),
      }),
    )
  }

  return {
    /** Of days that are over; by default of the last thirty. */
    list: async (organization: Whose, { from, to, ...wish }: ReportWish) => {
      const { organizationId, accountIds } = organization
      const now = clock.now(organizationId)
      oneOf('processingAccountId', wish.processingAccountId, accountIds)
      oneOf('type', wish.type, Object.keys(REPORT_TYPES))
      const days = { from: dayIn('from', from ?? isoTime(now - MONTH)), to: dayIn('to', to ?? isoTime(now)) }
      const { answer } = await read(organization, reports, { ...days, ...wish })
      return { ...days, files: answer.files, nextAt: (dayOf(now) + 1) * DAY }
    },

    /** The CSV text of one. */
    download: async (organization: Whose, reportId: string): Promise<string> =>
      (await read(organization, downloadReport, { reportId })).answer,
  }
}

const DAY_OF_MONTH = /^\d{4}-\d\d-\d\d$/

/** A day that there is: reading takes the 30th of February for the 2nd of March. */
const dayIn = (member: string, text: string): string => {
  const day = text.length > 10 ? text.slice(0, 10) : text
  const instant = DAY_OF_MONTH.test(day) ? instantOf(`${day}T00:00:00Z`) : Number.NaN
  if (!Number.isNaN(instant) && isoTime(instant).startsWith(day)) return day
  throw new OperatorError(
    'invalid',
    `${member} is ${JSON.stringify(text.slice(0, 40))}: give a day such as 2026-01-31.`,
  )
}

const oneOf = (member: string, word: string | undefined, words: readonly string[]): void => {
  if (word === undefined || words.includes(word)) return
  throw new OperatorError(
    'invalid',
    `${member} is ${JSON.stringify(word.slice(0, 64))}: give one of ${words.join(', ')}.`,
  )
}

/** What the contract refuses a merchant, an operator is told in the same words. */
const understood = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new OperatorError(error.row.http === 404 ? 'unknown' : 'invalid', error.message)
  }
}
