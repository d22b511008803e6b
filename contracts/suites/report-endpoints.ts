import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/http-exchange.ts'
import { yesterday } from '../client/wall-clock.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import { REPORTS_SCOPE } from '../operations.ts'
import type { CheckContext } from './context/check-context.ts'
import { reportsNotGranted, scopesIn } from './evidence/granted-scopes.ts'

/** Returns the last token response of a run that was to grant the scope of reports and did not; undefined if it did. */
const withoutReports = (transcript: readonly Exchange[]): Exchange | undefined => {
  const last = transcript.findLast(
    ({ request, response }) =>
      request.endpoint === 'token' &&
      response?.status === 200 &&
      new URLSearchParams(Buffer.from(request.body ?? []).toString()).get('scope') === REPORTS_SCOPE,
  )
  return last && !scopesIn(last).includes(REPORTS_SCOPE) ? last : undefined
}

/** Scenario with checks of the list and download of reports, with and without the scope data:reports (4, 5.3, 7.3). */
export const reports: CheckScenario<CheckContext, 'list' | 'list without' | 'download without' | 'unknown'> = {
  name: 'reports',
  tier: 1,
  play: async ({ merchant }, keep) => {
    const days = { query: { from: yesterday(), to: yesterday() } }
    const unknown = { query: { reportId: randomUUID() } }
    await keep('list', merchant.request('reports', { ...days, scope: REPORTS_SCOPE }))
    await keep('list without', merchant.request('reports', { ...days, scope: 'payments:read' }))
    await keep('download without', merchant.request('downloadReport', { ...unknown, scope: 'payments:read' }))
    await keep('unknown', merchant.request('downloadReport', { ...unknown, scope: REPORTS_SCOPE }))
  },
  checks: [
    {
      id: 'SCP-11',
      clause: '4',
      title: 'the list of reports is served with data:reports',
      judge: (evidence, expect) => {
        const list = evidence.of('list')
        if (expect.response(list).status === 422)
          throw new Untestable('the list of reports may want other parameters, which the document does not show', list)
        const ungranted = withoutReports(evidence.transcript)
        if (expect.response(list).status === 403 && ungranted) throw reportsNotGranted(expect.profile, ungranted)
        expect.served(list)
      },
    },
    {
      id: 'SCP-09',
      clause: '4, 7.3',
      title: 'the list of reports without data:reports: 403 and 4971',
      control: 'SCP-11',
      judge: (evidence, expect) => expect.refused(evidence.of('list without'), { status: 403, code: '4971' }),
    },
    {
      id: 'SCP-10',
      clause: '4, 7.3',
      title: 'the download of a report without data:reports: 403 and 4971',
      control: 'SCP-11',
      judge: (evidence, expect) => expect.refused(evidence.of('download without'), { status: 403, code: '4971' }),
    },
    {
      id: 'RPT-01',
      clause: '4',
      title: 'the download of an unknown report: 404',
      ...assumed('D-75'),
      control: 'SCP-11',
      judge: (evidence, expect) => expect.refused(evidence.of('unknown'), { status: 404 }),
    },
  ],
}
