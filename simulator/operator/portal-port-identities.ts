import { X509Certificate } from 'node:crypto'
import type { CertificateView, IdentitiesPort, KeyView } from '../../hosted-pages/portal/identities-port.ts'
import type { Operator } from './operator.ts'
import { found, wish } from './portal-port-wish.ts'

/** Keys and certificates as the portal sees them (5.1, 5.2). */
export const identitiesPortOf = ({ organizations, certificates, signingKeys, realNow }: Operator): IdentitiesPort => ({
  keys: async organizationId => (await signingKeys.list(organizationId)) as KeyView[],
  registerKey: (organizationId, publicKey) =>
    wish(async () => (await signingKeys.register(organizationId, publicKey)).keyId),
  deregisterKey: (organizationId, keyId) =>
    wish(async () => (await signingKeys.deregister(organizationId, keyId)).keyId),

  certificates: async organizationId => (await certificates.list(organizationId)) as CertificateView[],
  certificate: async (organizationId, fingerprint) =>
    (await found(() => certificates.find(organizationId, fingerprint))) as Awaited<
      ReturnType<IdentitiesPort['certificate']>
    >,
  issue: (organizationId, csr) => wish(async () => (await certificates.issue(organizationId, csr)).fingerprint),
  trust: (organizationId, pem) => wish(async () => (await certificates.register(organizationId, pem)).fingerprint),
  renewKit: organizationId =>
    wish(async () => new X509Certificate((await organizations.renew(organizationId)).certificate).fingerprint256),
  revoke: (organizationId, fingerprint) =>
    wish(async () => (await certificates.revoke(organizationId, fingerprint)).fingerprint),
  realNow,
})
