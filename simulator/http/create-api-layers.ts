import { SCOPES } from '../../contracts/operations.ts'
import type { SigningOptions } from '../../contracts/protocol/sign-messages.ts'
import { DEMO_ORGANIZATION } from '../organizations/organization-registry.ts'
import type { Organization } from '../store/organization-store.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { ApiCall, IdentifiedCall } from './api-call.ts'
import type { ApiDependencies } from './api-dependencies.ts'
import type { ApiLayers } from './api-layer-order-and-routing.ts'
import { createClientCertificateReader, type TrustedProxies } from './client-certificate-from-tls-or-proxy.ts'
import { type DisabledLayers, skipIfDisabled } from './disabled-layers.ts'
import { beginCall } from './layers/begin-call.ts'
import { checkRequestSizeAndHeaders } from './layers/check-request-size-and-headers.ts'
import { checkServiceVersion } from './layers/check-service-version.ts'
import { limitRate } from './layers/limit-rate.ts'
import { requireCertificate } from './layers/require-certificate.ts'
import { requireToken } from './layers/require-token.ts'
import { signResponses } from './layers/sign-response.ts'
import { varyResponses } from './layers/vary-response-within-contract.ts'
import { verifySignature } from './layers/verify-signature.ts'
import { createPauseConnection } from './pause-rate-limited-connection.ts'
import type { RecordCall } from './record-call.ts'
import { toSignatureRules } from './signature-rules-from-config.ts'

type Parts = ApiDependencies & {
  tokens: AccessTokens
  proxies: TrustedProxies
  disabledLayers: DisabledLayers
  dialect: Omit<SigningOptions, 'created'>
  recordCall: RecordCall
}

/** Creates every layer of the API from the configuration; disabled security layers get their substitutes (D-70). */
export const createApiLayers = (parts: Parts): ApiLayers => {
  const { config, clock, identityCache, versions } = parts
  const readCertificate = createClientCertificateReader(parts.proxies)
  const pauseConnection = createPauseConnection(parts.proxies)
  const identifyOrganization = async (call: ApiCall): Promise<Organization> => {
    const certificate = readCertificate(call.incoming)
    const known = certificate && (await identityCache.certificate(certificate.fingerprint256))
    const organization = known?.organization ?? (await identityCache.organization(DEMO_ORGANIZATION))
    if (organization) return organization
    throw new Error(`There is no organization ${DEMO_ORGANIZATION}.`)
  }
  return {
    beginCall: beginCall(parts),
    signAnswers: signResponses(parts),
    varyAnswers: parts.variety && varyResponses(parts.variety),
    limitBody: checkRequestSizeAndHeaders(config.bodyLimit),
    requireCertificate: skipIfDisabled(
      'certificate',
      requireCertificate({ readCertificate, identityCache, clock, pauseConnection }),
      identifyOrganization,
    ),
    verifySignature: skipIfDisabled(
      'signature',
      verifySignature({ identityCache, clock, ...toSignatureRules(config) }),
      () => undefined,
    ),
    requireToken: skipIfDisabled('token', requireToken(parts), grantAllScopes),
    limitRate: limitRate({ clock, perSecond: config.rateLimit, replicas: parts.store.replicas, pauseConnection }),
    selectVersion: checkServiceVersion(versions),
    ...parts.layers,
  }
}

const NO_ORIGIN = { id: '', state: '', epoch: 0, issuedAt: 0 }

const grantAllScopes = (call: IdentifiedCall): void => {
  const { organizationId } = call.organization
  call.token = { ...NO_ORIGIN, organizationId, scopes: SCOPES, expiresAt: Number.POSITIVE_INFINITY }
}
