import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { findStep } from '../evidence/expect-refused-or-declined.ts'
import { showsId } from '../evidence/shows-id.ts'
import { GRID_CONTROL, lackedOperation } from './cell-judgments.ts'
import { downloadReport, findReportIds, listReports } from './report-calls.ts'

/** Downloads a listed report, of which the first id that is served is one; returns that id. */
const keepReport = async (
  organization: TestOrganization,
  list: Exchange,
  step: string,
  keep: KeepStep<string>,
): Promise<string | undefined> => {
  for (const id of findReportIds(list)) if (isServed(await keep(step, downloadReport(organization, id)))) return id
  return undefined
}

const ourReport = (evidence: Evidence<string>, expect: Expect): Exchange => {
  expect.response(evidence.of('our list'))
  const report = findStep(evidence, 'our report')
  if (report && isServed(report)) return report
  throw new EmptyCell('no report is listed that can be downloaded')
}

const keyIdOf = ({ request }: Exchange): string | undefined =>
  /keyid="([^"]*)"/.exec(request.headers['signature-input'] ?? '')?.[1]

/** Returns the ids of our payments of this run that a report shows. */
const ourPaymentsIn = (report: Exchange, evidence: Evidence<string>, { profile }: Expect): string[] => {
  const own = evidence.transcript.filter(
    it => it.request.endpoint === 'initiate' && keyIdOf(it) === keyIdOf(evidence.of('our list')),
  )
  const ids = own.map(it => findField(profile, it, 'initiate.transactionId')).filter(id => id !== undefined)
  return ids.map(String).filter(id => showsId(report, id))
}

const expectNothingOfOurs = (report: Exchange, evidence: Evidence<string>, expect: Expect): void => {
  const [shown] = ourPaymentsIn(report, evidence, expect)
  expect.holds(shown === undefined, 'no payment of another organization', String(shown), report)
}

/** Returns the ids of a list that a download may have asked for: a parameter that is always sent may look like one. */
const idsAskedFor = ({ request }: Exchange, list: Exchange): string[] => {
  const asked = [...new URL(request.url).searchParams.values()]
  return findReportIds(list).filter(id => asked.includes(id))
}

/** Their list shows our report, and they cannot download it: it is not theirs, as theirs of the same id would be. */
const listCell: Cell = {
  column: 'reports',
  clause: '7.1',
  judge: (evidence, expect) => {
    ourReport(evidence, expect)
    const [ours, theirs] = [evidence.of('our report to them'), evidence.of('their list')]
    for (const exchange of [ours, theirs]) expect.response(exchange)
    const shared = idsAskedFor(ours, evidence.of('our list')).filter(id => findReportIds(theirs).includes(id))
    if (!isServed(ours)) expect.equal('reports of another organization', shared, [], theirs)
  },
}

const downloadCell: Cell = {
  column: 'downloadReport',
  clause: '7.1',
  judge: (evidence, expect) => {
    if (ourPaymentsIn(ourReport(evidence, expect), evidence, expect).length === 0)
      throw new EmptyCell('the report shows no payment of this run')
    const theirs = evidence.of('our report to them')
    if (isServed(theirs)) expectNothingOfOurs(theirs, evidence, expect)
    else expect.refused(theirs)
  },
}

const ownCell: Cell = {
  column: 'their own report',
  clause: '7.1',
  judge: (evidence, expect) => {
    expect.response(evidence.of('their list'))
    const theirs = findStep(evidence, 'their report')
    if (!theirs || !isServed(theirs)) throw new EmptyCell('no report of the other organization can be downloaded')
    expectNothingOfOurs(theirs, evidence, expect)
  },
}

/** Scenario with the grid row of reports × role: no report shows another organization's payments (7.1). */
export const reportGrid: CheckScenario<CheckContext> = {
  name: 'reports of two organizations',
  tier: 3,
  play: async (context, keep) => {
    if (lackedOperation(context.profile, 'reports') !== undefined) return
    const second = await context.secondOrganization()
    const ours = await keep('our list', listReports(context))
    const theirs = await keep('their list', listReports(second))
    const id = await keepReport(context, ours, 'our report', keep)
    if (id !== undefined) await keep('our report to them', downloadReport(second, id))
    await keepReport(second, theirs, 'their report', keep)
  },
  checks: [
    gridRowCheck({
      ...GRID_CONTROL,
      id: 'GRD-49',
      clause: '7.1',
      title: 'no report shows a payment of another organization',
      needs: ['secondOrganization', 'fields.initiate.transactionId'],
      exemptCell: profile => lackedOperation(profile, 'reports'),
      cells: [listCell, downloadCell, ownCell],
    }),
  ],
}
