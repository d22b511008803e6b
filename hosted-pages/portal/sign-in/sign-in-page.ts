import { html } from 'hono/html'
import { icon } from '../../icons.ts'
import { type Html, layout } from '../../layout.ts'
import { english } from '../../text-lookup-by-language.ts'
import { fieldState } from '../forms/form-fields.ts'
import { formMessage } from '../forms/form-message.ts'
import { portalPaths } from '../portal-paths.ts'

/** Returns the page of the portal that asks for the control token, the only one shown without the token. */
export const signInPage = (to: string, isWrong = false): Html =>
  layout(english, {
    title: 'Sign in to the portal',
    look: 'portal',
    more: ['portal.css'],
    main: html`
<main class="sheet narrow">
<p class="mark">${icon('assay')} Assay</p>
<h1>Sign in to the portal</h1>
<p class="lead">This sandbox was started with a control token. Type it in once; your browser keeps it until you close it.</p>
${formMessage(isWrong ? { refused: WRONG_TOKEN } : {})}
<form class="panel" method="post" action="${portalPaths.signIn}">
<input type="hidden" name="to" value="${to}">
<p class="field"><label for="token">Control token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${fieldState(isWrong ? { wrong: 'token' } : {}, 'token')} data-testid="token-field"></p>
<button class="button" data-testid="portal-sign-in">Sign in</button>
</form>
</main>`,
  })

const WRONG_TOKEN =
  'This is no token of this sandbox: type in what --control-token or ASSAY_CONTROL_TOKEN was set to, or the control token of your organization.'

/**
 * Returns the portal page for the holder of an organization's token who may not see a page or do what a form asks for.
 */
export const forbiddenPage = (organizationId: string): Html =>
  layout(english, {
    title: 'Not permitted',
    look: 'portal',
    more: ['portal.css'],
    main: html`
<main class="sheet narrow">
<p class="mark">${icon('assay')} Assay</p>
<h1>Not permitted</h1>
<p class="lead" data-testid="portal-forbidden">Your token is for ${organizationId}, and its role does not permit this. Ask the operator, or go back.</p>
<p class="row"><a class="button" href="${portalPaths.overview(organizationId)}">${organizationId}</a></p>
<form class="row" method="post" action="${portalPaths.signOut}"><button class="button quiet" data-testid="portal-sign-out">Sign out</button></form>
</main>`,
  })
