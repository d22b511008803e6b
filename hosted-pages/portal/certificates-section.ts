import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { confirm } from './confirm.ts'
import { area } from './form-fields.ts'
import { identifier } from './identifier.ts'
import type { CertificateView } from './identities-port.ts'
import { instant } from './instant.ts'
import { lifeBar, scaleOf } from './life-bar.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { OrganizationSummary } from './port.ts'
import { table } from './table.ts'
import { tag } from './tag.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

const LOOKS = { valid: 'good', expired: 'idle', revoked: 'bad' } as const
const MAKE_A_REQUEST =
  'openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout client.pem -subj /CN=client'

/** Client certificates with their lives, and the three ways to one more (5.1). */
export function certificatesSection(
  visit: Visit,
  { organizationId }: OrganizationSummary,
  certificates: readonly CertificateView[],
  realNow: number,
): Html {
  const { say } = visit
  const lives = certificates.map(({ validFrom, validTo }) => ({ from: Date.parse(validFrom), to: Date.parse(validTo) }))
  const scale = scaleOf(lives, realNow)
  const rows = certificates.map((certificate, at) => ({
    testId: 'certificate-row',
    cells: [
      identifier(say, certificate.fingerprint, {
        href: portalPaths.certificate(organizationId, certificate.fingerprint),
        shown: `${certificate.fingerprint.slice(0, 20)}…`,
      }),
      certificate.subject,
      tag(say, certificate.state),
      html`<span class="span">${lifeBar(lifeOf(visit, certificate), { ...(lives[at] ?? { from: realNow, to: realNow }), look: LOOKS[certificate.state] }, scale)}
<span class="ends">${instant(certificate.validFrom)} <span>${instant(certificate.validTo)}</span></span></span>`,
      certificate.state === 'valid' ? revoke(visit, organizationId, certificate) : '',
    ],
  }))
  return html`
<section aria-labelledby="certificates"><h2 id="certificates">${say('idsCertificates')}</h2>
<p class="note">${say('idsCertificatesNote')}</p>
${certificates.length === 0 ? html`<p class="empty">${say('idsNoCertificates')}</p>` : table(say('idsCertificates'), [say('idsFingerprint'), say('idsSubject'), say('portalState'), say('idsLife'), say('portalActions')], rows)}
${ways(visit, organizationId)}
${twin(visit, { method: 'POST', path: controlPaths.certificates(organizationId), body: { csr: '-----BEGIN CERTIFICATE REQUEST-----\n…' } })}
</section>`
}

const ways = (visit: Visit, organizationId: string): Html => {
  const { say, typed } = visit
  return html`
<details class="adder"${typed.csr === undefined ? '' : html` open`}><summary data-testid="open-issue">${say('idsIssue')}</summary>
<form class="panel" method="post" action="${portalPaths.certificates(organizationId)}">
<ol class="todo"><li>${say('idsIssue1')} <code class="shell-line">${MAKE_A_REQUEST}</code></li><li>${say('idsIssue2')}</li></ol>
${area(visit, { name: 'csr', label: say('idsCsr'), hint: say('idsCsrHint'), placeholder: '-----BEGIN CERTIFICATE REQUEST-----', isNeeded: true })}
<button class="button" data-testid="issue-certificate">${say('idsIssueNow')}</button>
</form></details>
<details class="adder"><summary data-testid="open-renew-kit">${say('idsRenew')}</summary>
<form class="panel" method="post" action="${portalPaths.kit(organizationId)}">
<p>${say('idsRenewNote')}</p>
<button class="button" data-testid="renew-kit">${say('idsRenewNow')}</button>
</form></details>
<details class="adder"${typed.certificate === undefined ? '' : html` open`}><summary data-testid="open-trust">${say('idsTrust')}</summary>
<form class="panel" method="post" action="${portalPaths.certificates(organizationId)}/trusted">
${area(visit, { name: 'certificate', label: say('idsCertificate'), hint: say('idsTrustHint'), placeholder: '-----BEGIN CERTIFICATE-----', isNeeded: true })}
<button class="button" data-testid="trust-certificate">${say('idsTrustNow')}</button>
</form></details>`
}

const lifeOf = ({ say }: Visit, { validFrom, validTo }: CertificateView): string =>
  say('idsLifeLabel', { from: validFrom.slice(0, 10), to: validTo.slice(0, 10) })

export const revoke = ({ say }: Visit, organizationId: string, { fingerprint }: CertificateView): Html =>
  confirm(
    say('idsRevoke'),
    say('idsRevokeWarning'),
    html`<form method="post" action="${portalPaths.certificate(organizationId, fingerprint)}/revoke"><button class="button danger" data-testid="revoke-certificate">${say('idsRevokeNow')}</button></form>`,
  )
