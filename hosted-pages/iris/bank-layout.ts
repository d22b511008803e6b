import { html } from 'hono/html'
import { type Html, layout } from '../layout.ts'
import { paths } from '../shopper-paths.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { type Bank, bankLogo } from './banks.ts'

type Screen = { title: string; bank: Bank; redirectId: string; screen: Html }

/** Returns a page in the frame of the IRIS bank; the script follows the payment to its end. */
export const bankLayout = (say: Say, { title, bank, redirectId, screen }: Screen): Html =>
  layout(say, {
    title: `${title} · ${bank.name}`,
    look: 'bank',
    bank: bank.id,
    main: html`
<main class="sheet narrow bank-sheet" data-stream="${paths.redirect(redirectId)}/stream" data-stage="waiting">
<div class="app-bar">${bankLogo(bank)} <span data-testid="iris-bank-name">${bank.name}</span></div>
<div class="screen">
<h1 tabindex="-1">${title}</h1>
${screen}
</div>
</main>`,
  })
