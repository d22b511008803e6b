import { html } from 'hono/html'
import { icon } from '../icons.ts'
import { type Html, layout } from '../layout.ts'
import { paths } from '../paths.ts'
import type { OrganizationView } from '../port.ts'
import type { Say } from '../texts.ts'

/** The home of the bank app. */
export const phonePage = (say: Say, { organizationId }: OrganizationView): Html =>
  phone(
    say,
    say('phoneTitle'),
    {},
    html`
<div class="hero"><h1>${say('phoneTitle')}</h1>
<p>${say('phoneLead')}</p></div>
<ol class="steps">
<li>${say('phoneStep1')}</li>
<li>${say('phoneStep2')}</li>
<li>${say('phoneStep3')}</li>
</ol>
<div class="actions">
${newCode(organizationId, say('newCode'))}
<p class="quiet-line">${say('phoneOf', { organization: organizationId })}</p>
</div>`,
  )

/** The frame of the app. A screen that waits for something names the address that tells when it has happened. */
export const phone = (say: Say, title: string, waits: { live?: string; stage?: string }, screen: Html): Html =>
  layout(say, {
    title,
    look: 'phone',
    main: html`
<main class="device"${waits.live ? html` data-live="${waits.live}" data-stage="${waits.stage}"` : ''}>
<div class="app-bar"><span class="logo">${icon('larch')}</span> ${say('phoneBank')}</div>
<div class="screen">${screen}</div>
</main>`,
  })

export const newCode = (organizationId: string, label: string): Html => html`
<form method="post" action="${paths.codes(organizationId)}"><button class="button" data-testid="blik-new-code">${label}</button></form>`
