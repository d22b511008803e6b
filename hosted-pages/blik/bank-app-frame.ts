import { html } from 'hono/html'
import { type Html, layout } from '../layout.ts'
import { paths } from '../shopper-paths.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { bankLogo } from './bank-logo.ts'
import type { Phone } from './phone-and-code-types.ts'

/** Returns a screen in the frame of the BLIK bank app; the script polls the path in `waits` for a change of stage. */
export const bankAppFrame = (
  say: Say,
  { bank }: Phone,
  title: string,
  waits: { stream?: string; stage?: string },
  screen: Html,
): Html =>
  layout(say, {
    title,
    look: 'phone',
    bank: bank.id,
    main: html`
<main class="device"${waits.stream ? html` data-stream="${waits.stream}" data-stage="${waits.stage}"` : ''}>
<div class="app-bar">${bankLogo(bank)} <span data-testid="blik-bank-name">${bank.name}</span></div>
<div class="screen">${screen}</div>
</main>`,
  })

/** Returns the form with the button for a new BLIK code. */
export const newCodeForm = ({ organizationId, phoneId }: Phone, label: string, dress = ''): Html => html`
<form method="post" action="${paths.phone(organizationId, phoneId)}/codes"><button class="button ${dress}" data-testid="blik-new-code">${label}</button></form>`

/** Returns the link to the home screen of the BLIK bank app. */
export const closeLink = (say: Say, { organizationId, phoneId }: Phone): Html =>
  html`<a class="plain-link" href="${paths.phone(organizationId, phoneId)}" data-testid="blik-close">${say('close')}</a>`
