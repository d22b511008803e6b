import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { timestamp } from '../layout/formatted-values.ts'
import { copyButton, identifier } from '../layout/identifier-with-copy-button.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import { portalPage } from '../layout/portal-page.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { type CertificateView, revoke } from './certificates-section.ts'

/** A client certificate as its portal page shows it, with the PEM texts of itself and of its authority. */
export type CertificateInFull = CertificateView & { certificate: string; ca: string }

/** Returns the portal page of one client certificate with its PEM text and downloads. */
export function certificatePage(context: PageRequestData, organization: Organization, one: CertificateInFull): Html {
  const { organizationId } = organization
  const here = portalPaths.certificate(organizationId, one.fingerprint)
  const main = html`
<h1>Client certificate</h1>
${formMessage(context)}
<dl class="facts-list">
<div><dt>State</dt><dd>${stateTag(one.state)}</dd></div>
<div><dt>Fingerprint (SHA-256)</dt><dd>${identifier('the fingerprint', one.fingerprint)}</dd></div>
<div><dt>Subject</dt><dd>${one.subject}</dd></div>
<div><dt>Serial number</dt><dd>${identifier('the serial number', one.serial)}</dd></div>
<div><dt>Valid</dt><dd>${timestamp(one.validFrom)} – ${timestamp(one.validTo)}</dd></div>
</dl>
<div class="row">
<a class="button" href="${here}/certificate.pem" download="${organizationId}-certificate.pem" data-testid="download-certificate">Download the certificate</a>
<a class="button quiet" href="${here}/ca.pem" download="ca.pem" data-testid="download-ca">Download the authority</a>
<a class="button quiet" href="${controlPaths.kitFolder(organizationId)}" download="${organizationId}-kit.zip" data-testid="download-kit-folder">Download the kit (zip)</a>
<a class="button quiet" href="${controlPaths.kit(organizationId)}" download="${organizationId}-kit.json" data-testid="download-kit">Download the kit (JSON)</a>
</div>
<figure class="pem"><figcaption>PEM ${copyButton('the certificate as PEM', one.certificate)}</figcaption><pre tabindex="0" aria-label="PEM" data-testid="certificate-pem">${one.certificate}</pre></figure>
${one.state === 'valid' ? revoke(organizationId, one) : ''}
${equivalentCurl(context, { path: controlPaths.certificate(organizationId, one.fingerprint) })}
<p class="back"><a href="${portalPaths.identities(organizationId)}">All keys and certificates</a></p>`
  return portalPage({ title: 'Client certificate', section: 'identities', organization, main })
}
