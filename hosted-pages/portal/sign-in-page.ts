import { html } from 'hono/html'
import { icon } from '../icons.ts'
import { type Html, layout } from '../layout.ts'
import type { Say } from '../texts.ts'
import { portalPaths } from './paths.ts'

/** Asks for the control token; the only page of the portal that everybody may see then. */
export const signInPage = (say: Say, to: string, isWrong = false): Html =>
  layout(say, {
    title: say('portalSignIn'),
    look: 'portal',
    more: ['portal.css'],
    main: html`
<main class="sheet narrow">
<p class="mark">${icon('assay')} Assay</p>
<h1>${say('portalSignIn')}</h1>
<p class="lead">${say('portalSignInLead')}</p>
${isWrong ? html`<p class="outcome bad" role="alert" data-testid="portal-refused">${say('portalSignInWrong')}</p>` : ''}
<form class="panel" method="post" action="${portalPaths.signIn}">
<input type="hidden" name="to" value="${to}">
<p class="field"><label for="token">${say('portalToken')}</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus data-testid="token-field"></p>
<button class="button" data-testid="portal-sign-in">${say('portalSignInNow')}</button>
</form>
</main>`,
  })
