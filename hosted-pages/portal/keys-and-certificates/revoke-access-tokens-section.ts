import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { confirmedForm } from '../forms/form-fields.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'

/**
 * Returns the section of a portal page with the button that revokes all access tokens of an organization (5.3, 7.3).
 */
export const tokensSection = (context: PageRequestData, { organizationId }: Organization): Html => html`
<section aria-labelledby="tokens"><h2 id="tokens">Access tokens</h2>
<p class="note">A token is valid for two hours on the clock of the organization. Revoke them to see whether the client fetches a new one.</p>
${confirmedForm(
  'Revoke all',
  'Every token that was issued is refused with 401/4061, from this moment.',
  html`<form method="post" action="${portalPaths.tokens(organizationId)}/revoke"><button class="button danger" data-testid="revoke-tokens">Revoke all tokens</button></form>`,
)}
${equivalentCurl(context, { method: 'POST', path: `${controlPaths.tokens(organizationId)}/revoke` })}
</section>`
