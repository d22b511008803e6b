import { html } from 'hono/html'
import { countdown } from '../countdown.ts'
import { amount, facts, keeping } from '../facts.ts'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import { type Outcome, outcome } from '../outcome.ts'
import { paths } from '../paths.ts'
import type { CodeView, ShopperView } from '../port.ts'
import type { Say } from '../texts.ts'
import { newCode, phone } from './phone-page.ts'
import { type Stage, stageOf } from './stage.ts'

const CODE_SECONDS = 120
const DECISION_SECONDS = 45

// biome-ignore format: a table reads by its columns
const ENDS = {
  'code-expired': { name: 'code-expired', shape: 'clock', title: 'codeExpiredTitle', lead: 'codeExpiredLead' },
  approved:       { name: 'approved',     shape: 'check', title: 'approvedTitle',    lead: 'approvedLead' },
  declined:       { name: 'declined',     shape: 'cross', title: 'declinedTitle',    lead: 'declinedLead' },
  expired:        { name: 'expired',      shape: 'clock', title: 'lapsedTitle',      lead: 'lapsedLead' },
} as const satisfies Record<Exclude<Stage, 'code' | 'waiting'>, Outcome>

/** The end of a consent with nothing to pay. */
const KEPT: Outcome = { name: 'approved', shape: 'check', title: 'keptTitle', lead: 'keptLead' }

/** One code from its first second to the end of the payment that it started. */
export function codePage(say: Say, view: CodeView): Html {
  const { stage, payment } = stageOf(view)
  const waits = { live: `${paths.code(view.organizationId, view.codeId)}/live`, stage }
  if (stage === 'code') return phone(say, say('codeTitle'), waits, codeScreen(say, view))
  if (stage === 'waiting') return phone(say, say(askTitle(payment)), waits, askScreen(say, view, payment))
  const end = stage === 'approved' && isKeptOnly(payment) ? KEPT : ENDS[stage]
  return phone(say, say(end.title), {}, endScreen(say, view, end))
}

const isKeptOnly = (payment: ShopperView): boolean => payment.transactionType === 'TOKEN_ONLY'

const askTitle = (payment: ShopperView) => (isKeptOnly(payment) ? 'askKeepTitle' : 'askTitle')

const codeScreen = (say: Say, view: CodeView): Html => html`
<h1 tabindex="-1">${say('codeTitle')}</h1>
<p class="lead">${say('codeLead')}</p>
<div class="code-panel">
<p class="code" data-testid="blik-code"><span>${view.code.slice(0, 3)}</span><span>${view.code.slice(3)}</span></p>
<button class="button quiet" type="button" hidden data-copy="${view.code}" data-done="${say('copied')}" data-testid="blik-copy">${icon('copy')} <span aria-live="polite">${say('copy')}</span></button>
</div>
${countdown({ testId: 'blik-countdown', label: say('codeLeft'), ...view, wholeInSeconds: CODE_SECONDS })}
<div class="actions">
<p class="pulse">${say('waitingForShop')}</p>
<noscript><p class="quiet-line">${say('withoutScript')}</p>
<a class="button" href="${paths.code(view.organizationId, view.codeId)}" data-testid="blik-refresh">${say('refresh')}</a></noscript>
${close(say, view)}
</div>`

const askScreen = (say: Say, view: CodeView, payment: ShopperView): Html => html`
<h1 tabindex="-1">${say(askTitle(payment))}</h1>
${amount(say, 'blik-amount', payment)}
${keeping(say, 'blik-keeps-shop', payment)}
${facts('blik', say('shop'), say('description'), payment)}
${countdown({ testId: 'blik-countdown', label: say('askLeft'), ...payment, wholeInSeconds: DECISION_SECONDS })}
<form class="actions pair" method="post" action="${paths.code(view.organizationId, view.codeId)}/decision">
<button class="button quiet" name="action" value="decline" data-testid="blik-decline">${say('decline')}</button>
<button class="button" name="action" value="approve" data-testid="blik-approve">${say('approve')}</button>
</form>`

const endScreen = (say: Say, view: CodeView, end: Outcome): Html => html`
<div class="message">
${outcome(say, 'blik-outcome', end)}
${view.payment ? html`${amount(say, 'blik-amount', view.payment)}${keeping(say, 'blik-keeps-shop', view.payment)}${facts('blik', say('shop'), say('description'), view.payment)}` : ''}
</div>
<div class="actions">
${newCode(view.organizationId, say('anotherCode'))}
${close(say, view)}
</div>`

const close = (say: Say, view: CodeView): Html =>
  html`<a class="plain-link" href="${paths.phone(view.organizationId)}" data-testid="blik-close">${say('close')}</a>`
