import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { choice, field } from '../forms/form-fields.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { codeName, timestamp } from '../layout/formatted-values.ts'
import { portalPage } from '../layout/portal-page.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'

/**
 * Filter of the portal's list of reports: days are texts such as 2026-01-31, both included; empty members do not
 * narrow.
 */
export type ReportFilter = Partial<Record<'from' | 'to' | 'processingAccountId' | 'type', string | undefined>>

/** Reports of completed days as the portal lists them; `nextAt` is when today ends on the organization's clock. */
export type Reports = { from: string; to: string; files: readonly ReportFile[]; nextAt: number }

type ReportFile = {
  reportId: string
  name: string
  reportType: string
  processingAccountId: string
  periodStart: string
  numberOfRecords: number
}

type ShownReports = { types: readonly string[]; filter: ReportFilter; found: Reports | undefined }

/** Returns the portal page of the daily reports of completed days, with their downloads as CSV (4, D-75). */
export function reportsPage(
  context: PageRequestData,
  organization: Organization,
  { types, filter, found }: ShownReports,
): Html {
  const { organizationId, accountIds } = organization
  const any: readonly [string, string] = ['', 'any']
  const main = html`
<h1>Reports</h1>
<p class="lead">One file for each day that is over, each account and each type: the same that the API lists.</p>
${formMessage(context)}
<form class="panel bar" method="get" action="${portalPaths.reports(organizationId)}">
${field(context, { name: 'from', label: 'From', value: filter.from ?? found?.from ?? '' }, 'date')}
${field(context, { name: 'to', label: 'To', value: filter.to ?? found?.to ?? '' }, 'date')}
${choice(context, { name: 'processingAccountId', label: 'Account', chosen: filter.processingAccountId ?? '', options: [any, ...accountIds.map(id => [id, id] as const)] })}
${choice(context, { name: 'type', label: 'Type', chosen: filter.type ?? '', options: [any, ...types.map(type => [type, type] as const)] })}
<button class="button" data-testid="list-reports">Show</button>
</form>
${found ? files(context, organizationId, found) : ''}
${found ? finish(context, organizationId, found) : ''}`
  return portalPage({ title: 'Reports', section: 'reports', organization, main })
}

const files = (context: PageRequestData, organizationId: string, { files, from, to }: Reports): Html => {
  const columns = ['Day (UTC)', 'Type', 'Account', 'Records', 'File']
  const rows = files.map(file => ({
    testId: 'report-row',
    cells: [
      html`<span class="number">${file.periodStart.slice(0, 10)}</span>`,
      codeName(file.reportType),
      html`<code>${file.processingAccountId}</code>`,
      html`<span class="number">${file.numberOfRecords}</span>`,
      html`<a href="${controlPaths.report(organizationId, file.reportId)}" download="${file.name}.csv" title="${file.name}.csv" aria-label="Download ${file.name}.csv" data-testid="download-report">Download</a>`,
    ],
  }))
  return html`${rows.length === 0 ? html`<p class="empty" data-testid="no-reports">No report in these days: one is made where money moved and the day is over.</p>` : table('Reports', columns, rows)}
${equivalentCurl(context, { path: `${controlPaths.reports(organizationId)}?from=${from}&to=${to}` })}`
}

const finish = (context: PageRequestData, organizationId: string, { nextAt }: Reports): Html => {
  return html`
<section aria-labelledby="today"><h2 id="today">The reports of today</h2>
<p class="note">They are there when the day is over on the clock of the organization: ${timestamp(nextAt)}</p>
<form method="post" action="${portalPaths.reports(organizationId)}/finish-day"><button class="button quiet" data-testid="finish-day">Let the day end now</button></form>
${equivalentCurl(context, { method: 'POST', path: controlPaths.clock(organizationId), body: { to: new Date(nextAt).toISOString() } })}
</section>`
}
