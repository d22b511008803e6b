import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { revoke } from './certificates-section.ts'
import { portalPage } from './frame.ts'
import { copyButton, identifier } from './identifier.ts'
import type { CertificateInFull } from './identities-port.ts'
import { instant } from './instant.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { OrganizationSummary } from './port.ts'
import { tag } from './tag.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

/** One certificate with its text, to be taken along. */
export function certificatePage(visit: Visit, organization: OrganizationSummary, one: CertificateInFull): Html {
  const { say } = visit
  const { organizationId } = organization
  const here = portalPaths.certificate(organizationId, one.fingerprint)
  const main = html`
<h1>${say('idsCertificate')}</h1>
${outcomeLine(visit)}
<dl class="facts-list">
<div><dt>${say('portalState')}</dt><dd>${tag(say, one.state)}</dd></div>
<div><dt>${say('idsFingerprint')}</dt><dd>${identifier(say, one.fingerprint)}</dd></div>
<div><dt>${say('idsSubject')}</dt><dd>${one.subject}</dd></div>
<div><dt>${say('idsSerial')}</dt><dd>${identifier(say, one.serial)}</dd></div>
<div><dt>${say('idsLife')}</dt><dd>${instant(one.validFrom)} – ${instant(one.validTo)}</dd></div>
</dl>
<div class="row">
<a class="button" href="${here}/certificate.pem" download="${organizationId}-certificate.pem" data-testid="download-certificate">${say('idsDownload')}</a>
<a class="button quiet" href="${here}/ca.pem" download="ca.pem" data-testid="download-ca">${say('idsDownloadCa')}</a>
<a class="button quiet" href="${controlPaths.kit(organizationId)}" download="${organizationId}-kit.json" data-testid="download-kit">${say('idsDownloadKit')}</a>
</div>
<figure class="pem"><figcaption>PEM ${copyButton(say, one.certificate)}</figcaption><pre tabindex="0" aria-label="PEM" data-testid="certificate-pem">${one.certificate}</pre></figure>
${one.state === 'valid' ? revoke(visit, organizationId, one) : ''}
${twin(visit, { path: controlPaths.certificate(organizationId, one.fingerprint) })}
<p class="back"><a href="${portalPaths.identities(organizationId)}">${say('idsBack')}</a></p>`
  return portalPage(say, { title: say('idsCertificate'), section: 'identities', organization, main })
}
