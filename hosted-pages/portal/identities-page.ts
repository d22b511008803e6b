import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { certificatesSection } from './certificates-section.ts'
import { portalPage } from './frame.ts'
import type { CertificateView, KeyView } from './identities-port.ts'
import { keysSection } from './keys-section.ts'
import { outcomeLine } from './outcome-line.ts'
import type { OrganizationSummary } from './port.ts'
import type { Visit } from './visit.ts'

export type Identities = { keys: readonly KeyView[]; certificates: readonly CertificateView[]; realNow: number }

/** With what the organization proves who it is: keys that sign (5.2) and certificates that open the connection (5.1). */
export function identitiesPage(
  visit: Visit,
  organization: OrganizationSummary,
  { keys, certificates, realNow }: Identities,
): Html {
  const { say } = visit
  const main = html`
<h1>${say('navIdentities')}</h1>
<p class="lead">${say('idsLead')}</p>
${outcomeLine(visit)}
${keysSection(visit, organization, keys)}
${certificatesSection(visit, organization, certificates, realNow)}`
  return portalPage(say, { title: say('navIdentities'), section: 'identities', organization, main })
}
