import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { area, confirmedForm } from '../forms/form-fields.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { identifier } from '../layout/identifier-with-copy-button.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import { shortId } from '../layout/short-id.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { scaleOf, validityBar } from './validity-bar.ts'

/** A client certificate as the portal lists it; times are ISO 8601, real ones. */
export type CertificateView = {
  fingerprint: string
  subject: string
  serial: string
  validFrom: string
  validTo: string
  state: 'valid' | 'expired' | 'revoked'
}

const LOOKS = { valid: 'good', expired: 'idle', revoked: 'bad' } as const
const MAKE_A_REQUEST =
  'openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout client.pem -subj /CN=client'

/** Returns the HTML table of client certificates with validity bars, and the three forms to get another (5.1). */
export function certificatesSection(
  context: PageRequestData,
  { organizationId }: Organization,
  certificates: readonly CertificateView[],
  realNow: number,
): Html {
  const scale = scaleOf(certificates.map(validityOf), realNow)
  const rows = certificates.map(certificate => ({
    testId: 'certificate-row',
    cells: [
      identifier('the fingerprint', certificate.fingerprint, {
        href: portalPaths.certificate(organizationId, certificate.fingerprint),
        shown: shortId(certificate.fingerprint),
      }),
      certificate.subject,
      stateTag(certificate.state),
      validityBar(validityOf(certificate), LOOKS[certificate.state], scale),
      certificate.state === 'valid' ? revoke(organizationId, certificate) : '',
    ],
  }))
  return html`
<section aria-labelledby="certificates"><h2 id="certificates">Client certificates</h2>
<p class="note">Certificates keep to real time, whatever the clock of the organization shows.</p>
<div id="certificate-list" data-live="keys">${certificates.length === 0 ? html`<p class="empty">There is no certificate: no call can open a connection.</p>` : table('Client certificates', ['Fingerprint (SHA-256)', 'Subject', 'State', 'Valid', 'Actions'], rows)}</div>
${issueForms(context, organizationId)}
${equivalentCurl(context, { method: 'POST', path: controlPaths.certificates(organizationId), body: { csr: '-----BEGIN CERTIFICATE REQUEST-----\n…' } })}
</section>`
}

const issueForms = (context: PageRequestData, organizationId: string): Html => {
  const { typed } = context
  return html`
<details class="form-details"${typed.csr === undefined ? '' : html` open`}><summary data-testid="open-issue">Issue one for your own key (CSR)</summary>
<form class="panel" method="post" action="${portalPaths.certificates(organizationId)}">
<ol class="todo"><li>Make a key and a request for it. <code class="shell-line">${MAKE_A_REQUEST}</code></li><li>Paste the request: the certificate comes back at once, for this organization.</li></ol>
${area(context, { name: 'csr', label: 'Certificate request', hint: 'PKCS #10 as PEM; its subject does not matter.', placeholder: '-----BEGIN CERTIFICATE REQUEST-----', isNeeded: true })}
<button class="button" data-testid="issue-certificate">Issue the certificate</button>
</form></details>
<details class="form-details"><summary data-testid="open-renew-kit">Issue one with a new key, in the kit</summary>
<form class="panel" method="post" action="${portalPaths.kit(organizationId)}">
<p>The kit gets a new key with its certificate. Those before work until they end or you revoke them.</p>
<button class="button" data-testid="renew-kit">Renew the kit</button>
</form></details>
<details class="form-details"${typed.certificate === undefined ? '' : html` open`}><summary data-testid="open-trust">Trust one of another authority</summary>
<form class="panel" method="post" action="${portalPaths.certificates(organizationId)}/trusted">
${area(context, { name: 'certificate', label: 'Client certificate', hint: 'A certificate as PEM, signed by anybody or by itself, valid now.', placeholder: '-----BEGIN CERTIFICATE-----', isNeeded: true })}
<button class="button" data-testid="trust-certificate">Trust the certificate</button>
</form></details>`
}

const validityOf = ({ validFrom, validTo }: CertificateView) => ({ from: validFrom, to: validTo })

/** Returns the HTML form with the button that revokes a certificate, with its warning. */
export const revoke = (organizationId: string, { fingerprint }: CertificateView): Html =>
  confirmedForm(
    'Revoke',
    'For ever: no call over it is answered any more, open connections included.',
    html`<form method="post" action="${portalPaths.certificate(organizationId, fingerprint)}/revoke"><button class="button danger" data-testid="revoke-certificate">Revoke it for ever</button></form>`,
  )
