import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import type { OrganizationView } from '../port.ts'
import type { Say, TextKey } from '../texts.ts'
import { field } from './form-fields.ts'
import { portalPage } from './frame.ts'
import { instant } from './instant.ts'
import type { ClockMoved, ClockState } from './live-port.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import { span } from './span.ts'
import { table } from './table.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

const MODES: Readonly<Record<ClockState['mode'], TextKey>> = {
  real: 'clockReal',
  frozen: 'clockFrozen',
  scaled: 'clockScaled',
}

/** How the clock runs, in two words. */
export const clockMode = (say: Say, { mode, rate }: Pick<ClockState, 'mode' | 'rate'>): string =>
  say(MODES[mode], { rate: String(rate) })

/** The clock of an organization: what it shows, what it will bring, and every way to move it. */
export const clockPage = (
  visit: Visit,
  organization: OrganizationView,
  state: ClockState,
  moved?: ClockMoved,
): Html => {
  const { say } = visit
  const { organizationId } = organization
  const path = controlPaths.clock(organizationId)
  const main = html`
<h1>${say('clockTitle')}</h1>
<p class="lead">${say('clockLead')}</p>
${outcomeLine(visit)}
${moved ? html`<p class="outcome good" role="status" data-testid="clock-told" data-ran="${moved.ran}" data-deliveries="${moved.deliveries}">${say('clockRan', { time: span(moved.now - moved.from), jobs: String(moved.ran - moved.deliveries), deliveries: String(moved.deliveries) })}</p>` : ''}
<p class="dial" data-mode="${state.mode}"><time datetime="${new Date(state.now).toISOString()}" data-clock="${state.now}" data-rate="${state.rate}" data-testid="clock-now">${instant(state.now)}</time>
<span class="tag ${state.mode === 'real' ? 'good' : 'late'}" data-testid="clock-mode">${clockMode(say, state)}</span></p>
<div class="moves">
<section aria-labelledby="moves"><h2 id="moves">${say('clockMoves')}</h2>
${advance(visit, organizationId)}
<div class="buttons">${way(organizationId, 'next', html`<button class="button quiet" data-testid="clock-next">${say('clockNext')}</button>`)}${way(organizationId, 'drain', html`<button class="button quiet" data-testid="clock-drain">${say('clockDrain')}</button>`)}</div>
<p class="hint">${say('clockDrainNote')}</p></section>
<section aria-labelledby="pace"><h2 id="pace">${say('clockPace')}</h2>
<form class="inline" method="post" action="${portalPaths.clock(organizationId)}"><input type="hidden" name="way" value="scale">
${field(visit, { name: 'rate', label: say('clockRate'), value: state.mode === 'scaled' ? String(state.rate) : '60', isNeeded: true })}
<button class="button quiet" data-testid="clock-scale">${say('clockScale')}</button></form>
<div class="buttons">${state.mode === 'frozen' ? '' : way(organizationId, 'freeze', html`<button class="button quiet" data-testid="clock-freeze">${say('clockFreeze')}</button>`)}${state.mode === 'real' ? '' : way(organizationId, 'real', html`<button class="button quiet" data-testid="clock-real">${say('clockUnfreeze')}</button>`)}</div></section>
</div>
${coming(say, organizationId, state)}
${twin(visit, { method: 'POST', path, body: { advance: 'PT45S' } })}
${twin(visit, { method: 'POST', path: `${path}/drain` })}`
  return portalPage(say, {
    title: say('clockTitle'),
    section: 'clock',
    organization,
    main,
    more: ['live.css', 'moves.css'],
  })
}

const advance = (visit: Visit, organizationId: string): Html => html`
<form class="inline" method="post" action="${portalPaths.clock(organizationId)}"><input type="hidden" name="way" value="advance">
${field(visit, { name: 'duration', label: visit.say('clockDuration'), hint: visit.say('clockDurationHint'), value: 'PT1H', isNeeded: true })}
<button class="button" data-testid="clock-advance">${visit.say('clockAdvance')}</button></form>`

const way = (organizationId: string, name: string, button: Html): Html =>
  html`<form method="post" action="${portalPaths.clock(organizationId)}"><input type="hidden" name="way" value="${name}">${button}</form>`

const coming = (say: Say, organizationId: string, { now, coming }: ClockState): Html => html`
<section aria-labelledby="coming"><h2 id="coming">${say('clockComing')}</h2>
${
  coming.length === 0
    ? html`<p class="quiet-line" data-testid="clock-nothing">${say('clockNothing')}</p>`
    : table(
        say('clockComing'),
        [say('clockAt'), say('clockName'), say('clockWhose')],
        coming.map(({ at, name, transactionId }) => ({
          testId: 'clock-coming',
          cells: [
            html`<span>${instant(at)} <span class="hint">${at <= now ? say('clockDue') : say('clockIn', { time: span(at - now) })}</span></span>`,
            name,
            transactionId === undefined
              ? ''
              : html`<a class="id" href="${portalPaths.payment(organizationId, transactionId)}">${transactionId}</a>`,
          ],
        })),
      )
}</section>`
