import { html } from 'hono/html'
import { type Html, layout } from '../layout.ts'
import { paths } from '../paths.ts'
import type { Say } from '../texts.ts'
import { type Bank, bankLogo } from './banks.ts'

type Screen = { title: string; bank: Bank; redirectId: string; screen: Html }

/** The frame of every page at the bank; it waits with the shopper, for the payment may end elsewhere meanwhile. */
export const bankFrame = (say: Say, { title, bank, redirectId, screen }: Screen): Html =>
  layout(say, {
    title: `${title} · ${bank.name}`,
    look: 'bank',
    bank: bank.id,
    main: html`
<main class="sheet narrow bank-sheet" data-live="${paths.redirect(redirectId)}/live" data-stage="waiting">
<div class="app-bar">${bankLogo(bank)} <span data-testid="iris-bank-name">${bank.name}</span></div>
<div class="screen">
<h1 tabindex="-1">${title}</h1>
${screen}
</div>
</main>`,
  })
