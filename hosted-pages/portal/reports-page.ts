import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { codeName } from './code-name.ts'
import { choice, field } from './form-fields.ts'
import { portalPage } from './frame.ts'
import { instant } from './instant.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { OrganizationSummary, Reports, ReportWish } from './port.ts'
import { table } from './table.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

export type ShownReports = { types: readonly string[]; wish: ReportWish; found: Reports | undefined }

/** Daily reports: those of days that are over, to be taken along as CSV (4, D-75). */
export function reportsPage(
  visit: Visit,
  organization: OrganizationSummary,
  { types, wish, found }: ShownReports,
): Html {
  const { say } = visit
  const { organizationId, accountIds } = organization
  const any: readonly [string, string] = ['', say('reportsAny')]
  const main = html`
<h1>${say('navReports')}</h1>
<p class="lead">${say('reportsLead')}</p>
${outcomeLine(visit)}
<form class="panel bar" method="get" action="${portalPaths.reports(organizationId)}">
${field(visit, { name: 'from', label: say('reportsFrom'), value: wish.from ?? found?.from ?? '' }, 'date')}
${field(visit, { name: 'to', label: say('reportsTo'), value: wish.to ?? found?.to ?? '' }, 'date')}
${choice({ name: 'processingAccountId', label: say('reportsAccount'), chosen: wish.processingAccountId ?? '', options: [any, ...accountIds.map(id => [id, id] as const)] })}
${choice({ name: 'type', label: say('reportsType'), chosen: wish.type ?? '', options: [any, ...types.map(type => [type, type] as const)] })}
<button class="button" data-testid="list-reports">${say('reportsShow')}</button>
</form>
${found ? files(visit, organizationId, found) : ''}
${found ? finish(visit, organizationId, found) : ''}`
  return portalPage(say, { title: say('navReports'), section: 'reports', organization, main })
}

const files = (visit: Visit, organizationId: string, { files, from, to }: Reports): Html => {
  const { say } = visit
  const columns = [
    say('reportsDay'),
    say('reportsType'),
    say('reportsAccount'),
    say('reportsRecords'),
    say('reportsFile'),
  ]
  const rows = files.map(file => ({
    testId: 'report-row',
    cells: [
      html`<span class="number">${file.periodStart.slice(0, 10)}</span>`,
      codeName(file.reportType),
      html`<code>${file.processingAccountId}</code>`,
      html`<span class="number">${file.numberOfRecords}</span>`,
      html`<a href="${controlPaths.report(organizationId, file.reportId)}" download="${file.name}" data-testid="download-report">${file.name}</a>`,
    ],
  }))
  return html`${rows.length === 0 ? html`<p class="empty" data-testid="no-reports">${say('reportsNone')}</p>` : table(say('navReports'), columns, rows)}
${twin(visit, { path: `${controlPaths.reports(organizationId)}?from=${from}&to=${to}` })}`
}

const finish = (visit: Visit, organizationId: string, { nextAt }: Reports): Html => {
  const { say } = visit
  return html`
<section aria-labelledby="today"><h2 id="today">${say('reportsToday')}</h2>
<p class="note">${say('reportsTodayNote')} ${instant(nextAt)}</p>
<form method="post" action="${portalPaths.reports(organizationId)}/finish-day"><button class="button quiet" data-testid="finish-day">${say('reportsFinishDay')}</button></form>
${twin(visit, { method: 'POST', path: controlPaths.clock(organizationId), body: { to: new Date(nextAt).toISOString() } })}
</section>`
}
