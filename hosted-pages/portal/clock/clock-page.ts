import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { OrganizationView } from '../../organization-with-clock.ts'
import { controlPaths } from '../control-api-paths.ts'
import { confirmedForm, field } from '../forms/form-fields.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { formatDuration, tickingClock, timestamp } from '../layout/formatted-values.ts'
import { portalPage } from '../layout/portal-page.ts'
import { type ScheduledItem, scheduledWords } from '../layout/scheduled-item.ts'
import { shortId } from '../layout/short-id.ts'
import { portalPaths } from '../portal-paths.ts'

/** An organization's clock as the portal shows it; `scale` is 0 where it is frozen and 1 at real pace. */
export type ClockState = { now: number; mode: 'real' | 'frozen' | 'scaled'; scale: number }

/**
 * Result of a move of the clock, or with `isPace` of a change of its pace, as the portal tells it: how many jobs and
 * deliveries ran, how many receivers left an attempt without a response, and from when to when.
 */
export type ClockMoved = Record<'ran' | 'deliveries' | 'unresponsive' | 'from' | 'now', number> & { isPace: boolean }

/** Returns the mode of the clock in two words. */
const clockMode = ({ mode, scale }: ClockState): string =>
  mode === 'scaled' ? `${scale} × as fast` : mode === 'real' ? 'real pace' : mode

type ShownClock = { state: ClockState; scheduled: readonly ScheduledItem[]; moved?: ClockMoved | undefined }

/** Returns the portal's clock page of an organization: its time, what is scheduled, and every way to move the clock. */
export const clockPage = (
  context: PageRequestData,
  organization: OrganizationView,
  { state, scheduled, moved }: ShownClock,
): Html => {
  const { organizationId } = organization
  const path = controlPaths.clock(organizationId)
  const main = html`
<h1>Clock</h1>
<p class="lead">Everything that has a deadline follows this clock: codes, approvals, settlement, tokens, retries. It only moves forward.</p>
${formMessage(context)}
${moved ? movedMessage(organizationId, state, moved) : ''}
<p class="dial" id="dial" data-live="clock" data-mode="${state.mode}">${tickingClock(state.now, state.scale, 'clock-now')}
<span class="tag ${state.mode === 'real' ? 'good' : 'late'}" data-testid="clock-mode">${clockMode(state)}</span></p>
<div class="moves">
<section aria-labelledby="moves"><h2 id="moves">Move the clock</h2>
${advance(context, organizationId)}
<div class="buttons">${way(organizationId, 'next', html`<button class="button quiet" data-testid="clock-next">To the next thing</button>`)}</div>
${confirmedForm('Drain', 'Runs until nothing is due and nothing undelivered is left. The clock may move days ahead, where tokens and codes expire, and it never moves back.', way(organizationId, 'drain', html`<button class="button danger" data-testid="clock-drain">Drain it</button>`))}</section>
<section aria-labelledby="pace"><h2 id="pace">Its pace</h2>
<form class="inline" method="post" action="${portalPaths.clock(organizationId)}"><input type="hidden" name="way" value="scale">
${field(context, { name: 'rate', label: 'Times as fast', value: state.mode === 'scaled' ? String(state.scale) : '60', isNeeded: true })}
<button class="button quiet" data-testid="clock-scale">Set the pace</button></form>
<div class="buttons" id="paces" data-live="clock">${state.mode === 'frozen' ? '' : way(organizationId, 'freeze', html`<button class="button quiet" data-testid="clock-freeze">Freeze</button>`)}${state.mode === 'real' ? '' : way(organizationId, 'real', html`<button class="button quiet" data-testid="clock-real">Real pace</button>`)}</div></section>
</div>
${scheduledTable(organizationId, state, scheduled)}
${equivalentCurl(context, [
  { method: 'POST', path, body: { advance: 'PT45S' } },
  { method: 'POST', path: `${path}/drain` },
])}`
  return portalPage({
    title: 'Clock',
    section: 'clock',
    organization,
    main,
    more: ['list-filter-forms.css', 'clock-and-scenarios.css'],
  })
}

/** Says at which pace the clock runs. */
const paceSentence = ({ mode, scale }: ClockState): string => {
  if (mode === 'frozen') return 'The clock is frozen.'
  return mode === 'real' ? 'The clock runs at real pace.' : `The clock runs ${scale} × as fast as real time.`
}

const movedMessage = (organizationId: string, state: ClockState, moved: ClockMoved): Html => {
  const { ran, deliveries, unresponsive, from, now, isPace } = moved
  const ranOnTheWay = isPace && ran === 0 ? '' : ` Ran on the way: ${ran - deliveries}, deliveries: ${deliveries}.`
  return html`
<p class="outcome good" role="status" data-testid="clock-told" data-ran="${ran}" data-deliveries="${deliveries}" data-unresponsive="${unresponsive}">${isPace ? paceSentence(state) : `Forward ${formatDuration(now - from)}.`}${ranOnTheWay}${
    unresponsive === 0
      ? ''
      : html` ${unresponsive === 1 ? 'One receiver' : `${unresponsive} receivers`} did not respond in time: the clock did not wait for the rest of <a href="${portalPaths.webhooks(organizationId)}">its deliveries</a>.`
  }</p>`
}

const advance = (context: PageRequestData, organizationId: string): Html => html`
<form class="inline" method="post" action="${portalPaths.clock(organizationId)}"><input type="hidden" name="way" value="advance">
${field(context, { name: 'duration', label: 'Forward by', hint: 'such as PT45S, PT1H or P7D', value: 'PT1H', isNeeded: true })}
<button class="button" data-testid="clock-advance">Move forward</button></form>`

const way = (organizationId: string, name: string, button: Html): Html =>
  html`<form method="post" action="${portalPaths.clock(organizationId)}"><input type="hidden" name="way" value="${name}">${button}</form>`

const scheduledTable = (organizationId: string, { now }: ClockState, scheduled: readonly ScheduledItem[]): Html => html`
<section id="scheduled" aria-labelledby="coming" data-live="clock payments webhooks"><h2 id="coming">What it will bring</h2>
${
  scheduled.length === 0
    ? html`<p class="quiet-line" data-testid="clock-nothing">Nothing waits for the clock.</p>`
    : table(
        'What it will bring',
        ['When', 'What', 'Payment'],
        scheduled.map(({ at, name, transactionId, deliveryId }) => ({
          testId: 'clock-coming',
          cells: [
            html`<span>${timestamp(at)} <span class="hint">${at <= now ? 'due' : `in ${formatDuration(at - now)}`}</span></span>`,
            deliveryId === undefined
              ? scheduledWords({ name })
              : html`<a href="${portalPaths.delivery(organizationId, deliveryId)}">${scheduledWords({ name })}</a>`,
            transactionId === undefined
              ? ''
              : html`<a class="id" href="${portalPaths.payment(organizationId, transactionId)}">${shortId(transactionId)}</a>`,
          ],
        })),
      )
}</section>`
