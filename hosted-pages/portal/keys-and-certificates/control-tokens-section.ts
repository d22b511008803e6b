import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { choice, confirmedForm, field } from '../forms/form-fields.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { timestamp } from '../layout/formatted-values.ts'
import { copyButton } from '../layout/identifier-with-copy-button.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'

/** A control token of an organization as the portal lists it, without its text; `createdAt` is ISO 8601. */
export type ControlTokenView = { tokenId: string; name: string; role: string; createdAt: string }

const ROLES = [
  ['read', 'read: looks, but sees no secrets'],
  ['act', 'act: does what a test needs'],
  ['admin', 'admin: manages tokens too'],
] as const

/**
 * Returns the section of a portal page that lists, makes and revokes an organization's control tokens, which open this
 * organization alone; `made` is the text of a new one, shown once.
 */
export const controlTokensSection = (
  context: PageRequestData,
  { organizationId }: Organization,
  tokens: readonly ControlTokenView[],
  made: string | undefined,
): Html => html`
<section aria-labelledby="control-tokens"><h2 id="control-tokens">Control tokens</h2>
<p class="note">Each opens the portal and control of this organization, and of no other.${context.withToken ? '' : ' Here control is open to everybody: start the sandbox with --control-token to give tokens.'}</p>
${made === undefined ? '' : html`<p class="outcome good" role="status">The token, shown this once: <code class="shell-line" data-testid="control-token">${made}</code> ${copyButton('the control token', made)}</p>`}
<div id="control-token-list" data-live="keys">${tokens.length === 0 ? '' : table('Control tokens', ['Name', 'Role', 'Made', 'Actions'], tokens.map(row(organizationId)))}</div>
${
  context.withToken
    ? html`<details class="form-details"${context.typed.role === undefined ? '' : html` open`}><summary data-testid="open-create-control-token">Make a token</summary>
<form class="panel" method="post" action="${portalPaths.controlTokens(organizationId)}">
${field(context, { name: 'name', label: 'Name', hint: 'Who or what it is for.', placeholder: 'CI of the shop', isNeeded: true })}
${choice(context, { name: 'role', label: 'Role', options: ROLES, chosen: context.typed.role ?? 'act' })}
<button class="button" data-testid="create-control-token">Make the token</button>
</form></details>`
    : ''
}
${equivalentCurl(context, { method: 'POST', path: controlPaths.controlTokens(organizationId), body: { name: 'CI of the shop', role: 'act' } })}
</section>`

const row = (organizationId: string) => (token: ControlTokenView) => ({
  testId: 'control-token-row',
  cells: [
    token.name,
    token.role,
    timestamp(token.createdAt),
    confirmedForm(
      'Revoke',
      'Its next call is refused, and whoever signed in with it is signed out.',
      html`<form method="post" action="${portalPaths.controlToken(organizationId, token.tokenId)}/revoke"><button class="button danger" data-testid="revoke-control-token">Revoke it</button></form>`,
    ),
  ],
})
