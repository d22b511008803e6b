import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { money } from '../money.ts'
import type { OrganizationView } from '../port.ts'
import type { Say } from '../texts.ts'
import { words } from './code-name.ts'
import { portalPage } from './frame.ts'
import { identifier } from './identifier.ts'
import { LANES, type Mark, type TimelineView } from './live-port.ts'
import { controlPaths, portalPaths } from './paths.ts'
import { stateTag } from './payments-page.ts'
import { timelineColumn } from './timeline-column.ts'
import { timelinePicture } from './timeline-picture.ts'
import { withRuns } from './timeline-runs.ts'
import { clockTime, factsOf, LANE_NAMES, labelOf } from './timeline-words.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

/** One payment with everything that happened to it: as a picture on one axis, and the same in words. */
export const timelinePage = (visit: Visit, organization: OrganizationView, whole: TimelineView): Html => {
  const { say } = visit
  const view = { ...whole, marks: withRuns(whole.marks) }
  const { organizationId } = organization
  const path = controlPaths.timeline(organizationId, view.transactionId)
  const main = html`
<h1>${view.providerId} ${view.clientTransactionId} ${stateTag(view)}</h1>
<p class="lead"><span class="number">${money(view.amount, view.currency, say.language)}</span> ${view.description}</p>
<p class="quiet-line">${identifier(say, view.transactionId)}</p>
<figure class="timeline" data-testid="timeline" data-now="${view.now}" data-live="${path}" data-count="${whole.marks.length}">
<div class="names" aria-hidden="true">${LANES.map(lane => html`<span class="${lane}">${say(LANE_NAMES[lane])}</span>`)}</div>
<div class="wide" tabindex="0" role="region" aria-label="${say('timeline')}">${timelinePicture(say, view, { named: false })}</div>
<div class="high">${timelineColumn(say, view)}</div>
<output class="card-of-mark" hidden></output>
<figcaption>${say('timelineScale')} ${say('timelineCalls')} <a href="${path}.svg" download="timeline-${view.transactionId}.svg" data-testid="timeline-file">${say('timelinePicture')}</a></figcaption>
</figure>
<h2 id="in-words">${say('timelineTable')}</h2>
${inWords(say, organizationId, view)}
${twin(visit, { path })}`
  const title = `${say('timeline')} ${view.clientTransactionId}`
  return portalPage(say, {
    title,
    section: 'payments',
    organization,
    main,
    more: ['timeline.css', 'timeline.js'],
  })
}

const inWords = (say: Say, organizationId: string, view: TimelineView): Html => html`
<table class="data marks" aria-labelledby="in-words" data-testid="timeline-table">
<thead><tr>${(['liveTime', 'liveLane', 'liveWhat', 'liveDetails'] as const).map(key => html`<th scope="col">${say(key)}</th>`)}</tr></thead>
<tbody>${view.marks.map(
  (mark, at) => html`
<tr id="m${at}" class="${mark.lane} ${mark.tone}${mark.planned ? ' planned' : ''}" data-testid="timeline-mark" data-lane="${mark.lane}"><td data-label="${say('liveTime')}"><time datetime="${new Date(mark.at).toISOString()}">${clockTime(mark.at, view.marks[at - 1]?.at)}</time></td><td data-label="${say('liveLane')}">${say(LANE_NAMES[mark.lane])}</td><td data-label="${say('liveWhat')}"><b>${labelOf(say, mark)}</b></td><td data-label="${say('liveDetails')}"><div>${factsOf(say, mark, view).map(fact => html`<span>${words(fact)}</span> `)}${wayOn(say, organizationId, mark)}</div></td></tr>`,
)}</tbody></table>`

/** To the call in the journal, or to the delivery. */
const wayOn = (say: Say, organizationId: string, mark: Mark): Html | '' => {
  if (mark.lane === 'call')
    return html`<a href="${portalPaths.journal(organizationId)}/${mark.callId}">${say('openCall')}</a>`
  if (mark.lane === 'webhook' && mark.deliveryId !== undefined)
    return html`<a href="${portalPaths.delivery(organizationId, mark.deliveryId)}">${say('openDelivery')}</a>`
  return ''
}
