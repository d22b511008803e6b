import { X509Certificate } from 'node:crypto'
import { Hono } from 'hono'
import { respondNotFound, respondWithPage, respondWithSecretPage } from '../../page-response.ts'
import { english } from '../../text-lookup-by-language.ts'
import { controlPaths } from '../control-api-paths.ts'
import { formRoute, pageRoute, type ShowPage, type Submitted, statusOf } from '../forms/form-and-page-handlers.ts'
import { findOrUndefined } from '../forms/form-result.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { respondNotFoundIn } from '../layout/not-found-page.ts'
import type { OrganizationPages } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import type { SignInFeatures } from '../sign-in/sign-in-routes.ts'
import { type CertificateInFull, certificatePage } from './certificate-page.ts'
import type { CertificateView } from './certificates-section.ts'
import { type ControlTokenFeature, controlTokenRoutes } from './control-token-routes.ts'
import type { ControlTokenView } from './control-tokens-section.ts'
import { keysAndCertificatesPage } from './keys-and-certificates-page.ts'
import type { KeyView } from './keys-section.ts'
import { madeTokenCookie, madeTokenIn } from './made-token-cookie.ts'

type ById = { fingerprint: string }

/** Features of the simulator that the portal's pages of signing keys (5.2) and client certificates (5.1) need. */
export type KeyAndCertificateFeatures = OrganizationPages &
  ControlTokenFeature & {
    access: Pick<SignInFeatures['access'], 'permits'>
    controlTokens: { list: (organizationId: string) => Promise<readonly ControlTokenView[]> }
    signingKeys: {
      list: (organizationId: string) => Promise<readonly KeyView[]>
      /** Registers a public key, PEM or JWK. */
      register: (organizationId: string, publicKey: string) => Promise<{ keyId: string }>
      deregister: (organizationId: string, keyId: string) => Promise<unknown>
    }
    certificates: {
      list: (organizationId: string) => Promise<readonly CertificateView[]>
      find: (organizationId: string, fingerprint: string) => Promise<CertificateInFull>
      /** Issues a certificate for the key of a CSR. */
      issue: (organizationId: string, csr: string) => Promise<ById>
      /** Trusts a certificate that another authority signed. */
      register: (organizationId: string, certificate: string) => Promise<ById>
      revoke: (organizationId: string, fingerprint: string) => Promise<ById>
    }
    tokens: { revokeAll: (organizationId: string) => Promise<unknown> }
    /** Renews the kit: a new key with its certificate, as PEM. */
    organizations: { renew(organizationId: string): Promise<{ certificate: string }> }
    /** Epoch milliseconds of real time. */
    realNow: () => number
  }

const organization = `${portalPaths.organizations}/:organizationId`
const all = `${organization}/certificates`
const one = `${all}/:fingerprint`
const PEM = { 'Content-Type': 'application/x-pem-file', 'Cache-Control': 'no-store' }

/** Creates the portal's routes to list, register, issue, download and end keys and certificates (5.1, 5.2). */
export const keyAndCertificateRoutes = (features: KeyAndCertificateFeatures): Hono => {
  const { signingKeys, tokens, certificates, organizations } = features
  const [page, form, show] = [pageRoute(features), formRoute(features), showAll(features)]
  const toAll = ({ organizationId }: Submitted) => portalPaths.identities(organizationId)
  const toOne = ({ organizationId }: Submitted, fingerprint: string) =>
    portalPaths.certificate(organizationId, fingerprint)

  const register = async ({ organizationId, typed }: Submitted) =>
    (await signingKeys.register(organizationId, typed.publicKey ?? '')).keyId
  const deregister = ({ organizationId, id }: Submitted) => signingKeys.deregister(organizationId, id)
  const revokeTokens = ({ organizationId }: Submitted) => tokens.revokeAll(organizationId)
  const issue = async ({ organizationId, typed }: Submitted) =>
    (await certificates.issue(organizationId, typed.csr ?? '')).fingerprint
  const trust = async ({ organizationId, typed }: Submitted) =>
    (await certificates.register(organizationId, typed.certificate ?? '')).fingerprint
  const renew = async ({ organizationId }: Submitted) =>
    new X509Certificate((await organizations.renew(organizationId)).certificate).fingerprint256
  const revoke = async ({ organizationId, id }: Submitted) =>
    (await certificates.revoke(organizationId, id)).fingerprint

  return new Hono()
    .get(`${organization}/identities`, page(show))
    .post(
      `${organization}/keys`,
      form({ submit: register, show, field: 'publicKey', done: 'key-registered', creates: 'keyId', to: toAll }),
    )
    .post(
      `${organization}/keys/:keyId/deregister`,
      form({ submit: deregister, show, done: 'key-deregistered', to: toAll }),
    )
    .post(`${organization}/tokens/revoke`, form({ submit: revokeTokens, show, done: 'tokens-revoked', to: toAll }))
    .post(`${organization}/kit`, form({ submit: renew, show, done: 'kit-renewed', creates: 'fingerprint', to: toOne }))
    .post(
      all,
      form({ submit: issue, show, field: 'csr', done: 'certificate-issued', creates: 'fingerprint', to: toOne }),
    )
    .post(
      `${all}/trusted`,
      form({
        submit: trust,
        show,
        field: 'certificate',
        done: 'certificate-trusted',
        creates: 'fingerprint',
        to: toOne,
      }),
    )
    .get(one, page(showOne(features)))
    .get(`${one}/certificate.pem`, page(sendPem(features, 'certificate')))
    .get(`${one}/ca.pem`, page(sendPem(features, 'ca')))
    .post(`${one}/revoke`, form({ submit: revoke, show, done: 'certificate-revoked', to: toOne }))
    .route('/', controlTokenRoutes(features, show))
}

const showAll =
  (features: KeyAndCertificateFeatures): ShowPage =>
  async (c, organization, form = {}) => {
    const { organizationId } = organization
    const { may } = await features.access.permits(c)
    const seesTokens = may?.('GET', controlPaths.controlTokens(organizationId)) ?? true
    const [keys, certificates, controlTokens] = await Promise.all([
      features.signingKeys.list(organizationId),
      features.certificates.list(organizationId),
      seesTokens ? features.controlTokens.list(organizationId) : undefined,
    ])
    const made = madeTokenIn(c)
    const shown = { keys, certificates, controlTokens, made: made?.token, realNow: features.realNow() }
    const page = keysAndCertificatesPage(pageRequestData(c, features, form), organization, shown)
    if (!made) return respondWithPage(c, page, 'here', statusOf(form))
    c.header('Set-Cookie', madeTokenCookie(organizationId, { ...made, token: '' }))
    return respondWithSecretPage(c, page)
  }

const showOne =
  (features: KeyAndCertificateFeatures): ShowPage =>
  async (c, organization) => {
    const fingerprint = c.req.param('fingerprint') ?? ''
    const found = await findOrUndefined(() => features.certificates.find(organization.organizationId, fingerprint))
    return found
      ? respondWithPage(c, certificatePage(pageRequestData(c, features), organization, found))
      : respondNotFoundIn(c, organization, 'identities', 'certificate')
  }

const sendPem =
  ({ certificates }: KeyAndCertificateFeatures, name: 'certificate' | 'ca'): ShowPage =>
  async (c, { organizationId }) => {
    const found = await findOrUndefined(() => certificates.find(organizationId, c.req.param('fingerprint') ?? ''))
    return found ? c.body(found[name], 200, PEM) : respondNotFound(c, english)
  }
