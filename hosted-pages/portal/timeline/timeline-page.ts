import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { money } from '../../money-and-date-format.ts'
import type { OrganizationView } from '../../organization-with-clock.ts'
import { controlPaths } from '../control-api-paths.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { breakable, givenText } from '../layout/formatted-values.ts'
import { identifier } from '../layout/identifier-with-copy-button.ts'
import { portalPage } from '../layout/portal-page.ts'
import { paymentStateTag } from '../payments/payments-page.ts'
import { portalPaths } from '../portal-paths.ts'
import { joinRepeatedCalls } from './join-repeated-calls.ts'
import { clockTime, factsOf, LANE_NAMES, labelOf } from './timeline-mark-labels.ts'
import { LANES, type Mark, type PaymentTimeline } from './timeline-mark-types.ts'
import { timelinePicture } from './timeline-picture.ts'
import { timelineColumn } from './vertical-timeline-picture.ts'

/** Returns the portal page of all that happened to one payment: a picture on one time axis, and a table. */
export const timelinePage = (
  context: PageRequestData,
  organization: OrganizationView,
  whole: PaymentTimeline,
): Html => {
  const view = { ...whole, marks: joinRepeatedCalls(whole.marks) }
  const { organizationId } = organization
  const path = controlPaths.timeline(organizationId, view.transactionId)
  const main = html`
<h1 id="whose-timeline" data-live="payments">${view.providerId} ${givenText(view.clientTransactionId)} ${paymentStateTag(view)}</h1>
<p class="lead"><span class="number">${money(view.amount, view.currency, 'en')}</span> ${givenText(view.description)}</p>
<p class="quiet-line">${identifier('the payment’s id', view.transactionId)}</p>
<figure class="timeline" id="timeline" data-testid="timeline" data-now="${view.now}" data-live="calls payments webhooks clock">
<div class="names" aria-hidden="true">${LANES.map(lane => html`<span class="${lane}">${LANE_NAMES[lane]}</span>`)}</div>
<div class="wide" tabindex="0" role="region" aria-label="Timeline">${timelinePicture(view, { named: false })}</div>
<div class="high">${timelineColumn(view)}</div>
<output class="card-of-mark" hidden></output>
<figcaption>Each column is a moment, read in the order of time. Idle time is cut out and written on the axis. Calls come from the journal, which keeps the last ones only. <a href="${path}.svg" download="timeline-${view.transactionId}.svg" data-testid="timeline-file">Picture as a file</a></figcaption>
</figure>
<h2 id="in-words">The same as a table</h2>
${inWords(organizationId, view)}
${equivalentCurl(context, { path })}`
  const title = `Timeline ${view.clientTransactionId}`
  return portalPage({
    title,
    section: 'payments',
    organization,
    main,
    more: ['timeline.css', 'timeline.js'],
  })
}

const inWords = (organizationId: string, view: PaymentTimeline): Html => html`
<table class="data marks" id="marks" data-live="calls payments webhooks clock" aria-labelledby="in-words" data-testid="timeline-table">
<thead><tr>${['Time', 'Kind', 'What', 'Details'].map(key => html`<th scope="col">${key}</th>`)}</tr></thead>
<tbody>${view.marks.map(
  (mark, at) => html`
<tr id="m${at}" class="${mark.lane} ${mark.tone}${mark.planned ? ' planned' : ''}" data-testid="timeline-mark" data-lane="${mark.lane}"><td data-label="Time"><time datetime="${new Date(mark.at).toISOString()}">${clockTime(mark.at, view.marks[at - 1]?.at)}</time></td><td data-label="Kind">${LANE_NAMES[mark.lane]}</td><td data-label="What"><b>${labelOf(mark)}</b></td><td data-label="Details"><div>${factsOf(mark, view).map(fact => html`<span>${breakable(fact)}</span> `)}${wayOn(organizationId, mark)}</div></td></tr>`,
)}</tbody></table>`

/** Returns the link from a mark to its call in the journal or to its delivery. */
const wayOn = (organizationId: string, mark: Mark): Html | '' => {
  if (mark.lane === 'call')
    return html`<a href="${portalPaths.journal(organizationId)}/${mark.callId}">Open the call</a>`
  if (mark.lane === 'webhook' && mark.deliveryId !== undefined)
    return html`<a href="${portalPaths.delivery(organizationId, mark.deliveryId)}">Open the delivery</a>`
  return ''
}
