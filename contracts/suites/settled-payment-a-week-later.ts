import { isServed } from '../client/http-exchange.ts'
import { assumed, type Check } from '../harness/judge/check.ts'
import type { KeepStep } from '../harness/judge/scenario-evidence.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import { REPORTS_SCOPE } from '../operations.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import type { TestOrganization } from './context/test-organization.ts'
import { findStep } from './evidence/expect-refused-or-declined.ts'
import { showsId } from './evidence/shows-id.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { letShopper, preparePayment, waitForSettlement } from './given/create-payments.ts'
import { fetchToken, searchFor } from './given/harmless-calls.ts'
import { readStatusUntil } from './given/read-until.ts'
import { lackedOperation } from './grid/cell-judgments.ts'
import { downloadReport, findReportIds } from './grid/report-calls.ts'
import { FOUND_NEEDS, idsIn } from './grid/search-rows.ts'

/** Ids of the checks of a settled payment that is looked at after a long time. */
export const OF_SETTLED = { kept: 'RDS-23', report: 'RPT-02' } as const

export type SettledStep =
  | 'settled before'
  | `settled ${'initiated' | 'status' | 'events' | 'search' | 'refund'}`
  | 'reports'
  | 'report'
  | 'report to them'

/** A settled payment: its id, its reference, and the day on which it was made. */
type Settled = { transactionId: string; clientTransactionId: string; day: string }

type Scene = { context: CheckContext; organization: TestOrganization; keep: KeepStep<SettledStep> }

/** Pays, captures and settles a payment for checks that look at it later. */
export const settlePayment = async ({ context, organization, keep }: Scene): Promise<Settled> => {
  const { profile } = context
  const json = await preparePayment(organization, { autoCapture: true })
  const initiated = await keep('settled initiated', organization.merchant.request('initiate', { json }))
  const transactionId = await letShopper(profile, organization, initiated)
  await operationsOn(organization, transactionId).finalize()
  await readStatusUntil(profile, organization, transactionId, ['captured', 'settled', 'declined'])
  await waitForSettlement(profile, organization, transactionId)
  await keep('settled before', operationsOn(organization, transactionId).status())
  const { clientTransactionId } = json
  return { transactionId, clientTransactionId, day: new Date(organization.clock.now()).toISOString().slice(0, 10) }
}

/** Reads a settled payment and its reports after a long time, and refunds it. */
export const lookAtSettled = async (
  { context, organization, keep }: Scene,
  { transactionId, clientTransactionId, day }: Settled,
  chosen: ReadonlySet<string>,
): Promise<void> => {
  const { merchant } = organization
  const path = { transactionId }
  const token = await fetchToken(organization)
  await keep('settled status', merchant.request('status', { path }, token))
  await keep('settled events', merchant.request('events', { path }, token))
  await keep('settled search', searchFor(organization, clientTransactionId, token))
  if (chosen.has(OF_SETTLED.report) && lackedOperation(context.profile, 'reports') === undefined) {
    const forReports = await fetchToken(organization, {}, REPORTS_SCOPE)
    const list = await keep('reports', merchant.request('reports', { query: { from: day, to: day } }, forReports))
    const download = (reportId: string) => merchant.request('downloadReport', { query: { reportId } }, forReports)
    for (const reportId of findReportIds(list)) {
      const report = await keep('report', download(reportId))
      if (!isServed(report) || !showsId(report, transactionId)) continue
      await keep('report to them', downloadReport(await context.secondOrganization(), reportId))
      break
    }
  }
  await keep('settled refund', operationsOn(organization, transactionId).refund())
}

const NOT_FOUND = 404

/** Checks of a settled payment a long time later: it is what it was, and its reports are its owner's (2.1, 3, 7.1). */
export const SETTLED_CHECKS: readonly Check<SettledStep>[] = [
  {
    id: OF_SETTLED.kept,
    clause: '2.1, 3, 4',
    title: 'a settled payment stays settled, is found and can be refunded after authorizations have expired',
    ...assumed('D-74'),
    control: 'LIF-05',
    needs: [...WITH_STATES.needs, ...FOUND_NEEDS],
    judge: (evidence, expect) => {
      expect.inCategory(evidence.of('settled before'), 'settled')
      expect.inCategory(evidence.of('settled status'), 'settled')
      expect.served(evidence.of('settled events'))
      const id = String(expect.field(evidence.of('settled initiated'), 'initiate.transactionId'))
      const ids = idsIn(evidence.of('settled search'), expect)
      expect.holds(ids.includes(id), `the payment ${id}`, ids, evidence.of('settled search'))
      const refund = evidence.of('settled refund')
      expect.holds(expect.response(refund).status !== NOT_FOUND, 'a payment', expect.describeJudged(refund), refund)
    },
  },
  {
    id: OF_SETTLED.report,
    clause: '7.1',
    title: 'a report of another organization cannot be downloaded',
    control: 'SCP-11',
    needs: ['secondOrganization', ...WITH_STATES.needs],
    judge: (evidence, expect) => {
      expect.inCategory(evidence.of('settled before'), 'settled')
      expect.response(evidence.of('reports'))
      const theirs = findStep(evidence, 'report to them')
      if (!theirs) throw new Blocked('no report that shows the payment is listed', evidence.of('reports'))
      const id = String(expect.field(evidence.of('settled initiated'), 'initiate.transactionId'))
      if (isServed(theirs)) expect.holds(!showsId(theirs, id), 'nothing of another organization', id, theirs)
      else expect.refused(theirs)
    },
  },
]
