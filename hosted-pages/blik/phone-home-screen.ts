import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import { askFirst } from '../ask-first.ts'
import { countdown } from '../countdown.ts'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import { date } from '../money-and-date-format.ts'
import { paths } from '../shopper-paths.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { bankAppFrame, newCodeForm } from './bank-app-frame.ts'
import { codeDigits } from './code-digits-with-copy-button.ts'
import { CODE_SECONDS, codePath } from './code-stage-and-screen-paths.ts'
import type { CodeView, KeptShop, Phone, PhoneMemory } from './phone-and-code-types.ts'
import { lastPayments, waitingPayments } from './waiting-and-last-payments.ts'

/**
 * Returns a digest of what the home screen of the BLIK bank app shows, its stage: it differs whenever that changes, so
 * that an open page notices.
 */
export const stageOfPhone = ({ shops }: Phone, { openCode, payments }: PhoneMemory): string => {
  const seen = [
    openCode?.codeId,
    ...payments.map(({ payment: { transactionId, outcome, confirming, released, refunded } }) => [
      transactionId,
      outcome,
      confirming,
      released,
      refunded,
    ]),
    ...shops.map(({ paymentToken, standing }) => [paymentToken, standing]),
  ]
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url').slice(0, 16)
}

/** Returns the home screen of the BLIK bank app: the button for a code, and the saved shops (1). */
export const phonePage = (say: Say, phone: Phone, memory: PhoneMemory): Html => {
  const { openCode, payments } = memory
  const waiting = payments.filter(({ payment }) => payment.outcome === 'waiting')
  return bankAppFrame(
    say,
    phone,
    say('phoneTitle'),
    {
      stream: `${paths.phone(phone.organizationId, phone.phoneId)}/stream`,
      stage: stageOfPhone(phone, memory),
    },
    html`
${
  waiting.length === 0
    ? html`<div class="hero"><h1 tabindex="-1">${say('phoneTitle')}</h1>
<p>${say('phoneLead')}</p></div>`
    : waitingPayments(say, phone, waiting)
}
${openCode ? codeOnHome(say, openCode, waiting.length === 0) : ''}
${newCodeForm(phone, say(openCode ? 'anotherCode' : 'newCode'), waiting.length > 0 || openCode ? 'quiet' : '')}
${lastPayments(
  say,
  phone,
  payments.filter(({ payment }) => payment.outcome !== 'waiting'),
)}
<section class="kept" aria-labelledby="kept">
<h2 id="kept">${say('keptShops')}</h2>
${phone.shops.length === 0 ? none(say, phone) : html`<ul>${phone.shops.map(shop => kept(say, phone, shop))}</ul>`}
</section>
<div class="actions">
<noscript><a class="plain-link" href="${paths.phone(phone.organizationId, phone.phoneId)}" data-testid="blik-refresh">${say('refresh')}</a></noscript>
<p class="quiet-line">${say('phoneOf', { organization: phone.organizationId })}</p>
<a class="plain-link" href="${paths.blik(phone.organizationId)}" data-testid="blik-other-phone">${say('otherPhone')}</a>
</div>`,
  )
}

/** The code that waits for a shop; its clock is drawn where no payment has one. */
const codeOnHome = (say: Say, code: CodeView, isTimed: boolean): Html => html`
<section class="code-panel small" aria-label="${say('codeTitle')}">
${codeDigits(say, code.code)}
${isTimed ? countdown({ testId: 'blik-countdown', label: say('codeLeft'), ...code, wholeInSeconds: CODE_SECONDS }) : ''}
<a class="plain-link" href="${codePath(code)}" data-testid="blik-open-code">${icon('phone')} ${say('showCode')}</a>
</section>`

const none = (say: Say, { bank }: Phone): Html =>
  html`<p class="quiet-line" data-testid="blik-no-shops">${say(bank.keepsShops ? 'noKeptShops' : 'bankKeepsNoShops')}</p>`

const kept = (say: Say, phone: Phone, shop: KeptShop): Html => html`
<li data-testid="blik-shop" data-standing="${shop.standing}">
<span><b>${shop.payee}</b><small>${say('keptSince', { date: date(shop.keptAt, say.language), payer: shop.payerId })}</small></span>
${shop.standing === 'valid' ? revoke(say, phone, shop) : html`<span class="standing">${say(shop.standing === 'revoked' ? 'shopRevoked' : 'shopExpired')}</span>`}
</li>`

const revoke = (say: Say, { organizationId, phoneId }: Phone, { payee, paymentToken }: KeptShop): Html => html`
${askFirst(
  html`<summary class="button quiet small" aria-label="${say('revokeShop', { shop: payee })}" data-testid="blik-ask-revoke">${say('revoke')}</summary>`,
  say('revokeAsk'),
  html`<form method="post" action="${paths.phone(organizationId, phoneId)}/revoke">
<button class="button small" name="paymentToken" value="${paymentToken}" aria-label="${say('revokeYes')}: ${payee}" data-testid="blik-revoke">${say('revokeYes')}</button>
</form>`,
)}`
