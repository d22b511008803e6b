import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { portalPage } from '../layout/portal-page.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { type CertificateView, certificatesSection } from './certificates-section.ts'
import { type ControlTokenView, controlTokensSection } from './control-tokens-section.ts'
import { type KeyView, keysSection } from './keys-section.ts'
import { tokensSection } from './revoke-access-tokens-section.ts'

/**
 * Keys, certificates and tokens of an organization; `controlTokens` only for whoever may list them, `made` the text of a
 * new one, `realNow` epoch milliseconds.
 */
type KeysAndCertificates = {
  keys: readonly KeyView[]
  certificates: readonly CertificateView[]
  controlTokens: readonly ControlTokenView[] | undefined
  made: string | undefined
  realNow: number
}

/** Returns the portal page of the signing keys (5.2), client certificates (5.1) and tokens of an organization. */
export function keysAndCertificatesPage(
  context: PageRequestData,
  organization: Organization,
  { keys, certificates, controlTokens, made, realNow }: KeysAndCertificates,
): Html {
  const main = html`
<h1>Keys &amp; certificates</h1>
<p class="lead">Two key pairs prove who calls: one opens the connection (mTLS), the other signs every request. Never use one for both.</p>
${formMessage(context)}
${keysSection(context, organization, keys)}
${certificatesSection(context, organization, certificates, realNow)}
${tokensSection(context, organization)}
${controlTokens ? controlTokensSection(context, organization, controlTokens, made) : ''}`
  const more = ['validity-bars.css'] as const
  return portalPage({ title: 'Keys & certificates', section: 'identities', organization, main, more })
}
