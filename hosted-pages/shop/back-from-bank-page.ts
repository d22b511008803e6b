import { html } from 'hono/html'
import { icon } from '../icons.ts'
import { type Html, layout } from '../layout.ts'
import type { Say } from '../text-lookup-by-language.ts'

/** Returns the page for who comes back from a bank in another browser than the one that bought. */
export const backFromBankPage = (say: Say): Html =>
  layout(say, {
    title: say('shopTitle'),
    look: 'plain',
    main: html`
<main class="sheet narrow message">
<span class="badge">${icon('back')}</span>
<h1>${say('shopTitle')}</h1>
<p class="lead">${say('returnToBrowser')}</p>
</main>`,
  })
