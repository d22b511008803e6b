import { DEMO_ORGANIZATION } from '../organizations/organization-registry.ts'
import type { Organization } from '../store/organization-store.ts'
import type { ApiCall } from './api-call.ts'
import type { CertificateAndKeyCache } from './certificate-and-key-cache.ts'
import type { ClientCertificateReader } from './client-certificate-from-tls-or-proxy.ts'

type Parts = { readCertificate: ClientCertificateReader; identityCache: CertificateAndKeyCache }
type Shown = Pick<ApiCall, 'incoming' | 'disabledLayers'>

/**
 * A function that finds the organization whose certificate a refused call showed, valid or not, for the journal alone;
 * never refuses.
 */
export type FindShownOrganization = (call: Shown) => Promise<Organization | undefined>

/**
 * Creates the finder of the organization whose certificate a call showed; without the certificate layer it may be the
 * demo organization (D-70).
 */
export const createFindShownOrganization = ({ readCertificate, identityCache }: Parts): FindShownOrganization => {
  const find = async ({ incoming, disabledLayers }: Shown): Promise<Organization | undefined> => {
    const fingerprint = readCertificate(incoming)?.fingerprint256
    const known = fingerprint === undefined ? undefined : await identityCache.certificate(fingerprint)
    if (known || !disabledLayers.includes('certificate')) return known?.organization
    return identityCache.organization(DEMO_ORGANIZATION)
  }
  return call => find(call).catch(() => undefined)
}
