import type { SigningKey, SigningOptions } from '../../contracts/protocol/sign.ts'
import { DEMO_ORGANIZATION } from '../operator/organizations.ts'
import type { Layers } from './api.ts'
import type { Call } from './call.ts'
import { createHoldBack } from './hold-back.ts'
import type { Ladder } from './ladder.ts'
import { beginCall } from './layers/begin-call.ts'
import { limitBody } from './layers/limit-body.ts'
import { limitRate } from './layers/limit-rate.ts'
import { requireCertificate } from './layers/require-certificate.ts'
import { requireToken } from './layers/require-token.ts'
import { selectVersion } from './layers/select-version.ts'
import { signAnswers } from './layers/sign-answer.ts'
import { unlessOff } from './layers/unless-off.ts'
import { varyAnswers } from './layers/vary-answer.ts'
import { verifySignature } from './layers/verify-signature.ts'
import { createPresentedCertificate } from './presented-certificate.ts'
import type { Proxies } from './proxies.ts'
import { signatureRulesOf } from './signature-rules.ts'
import { SCOPES, type Tokens } from './tokens.ts'
import type { ApiWiring } from './wiring.ts'

type Parts = ApiWiring & {
  tokens: Tokens
  proxies: Proxies
  ladder: Ladder
  key: SigningKey
  dialect: Omit<SigningOptions, 'created'>
}

/** Every layer with its settings; the three that can be switched off know what holds without them (D-70). */
export const createLayers = (parts: Parts): Layers => {
  const { config, clock, trust, versions } = parts
  const presented = createPresentedCertificate(parts.proxies)
  const holdBack = createHoldBack(parts.proxies)
  const nameOrganization = async (call: Call): Promise<void> => {
    const certificate = presented(call.incoming)
    const known = certificate && (await trust.certificate(certificate.fingerprint256))
    const organization = known?.organization ?? (await trust.organization(DEMO_ORGANIZATION))
    if (organization) call.organization = organization
  }
  return {
    beginCall: beginCall(parts),
    signAnswers: signAnswers(parts),
    varyAnswers: parts.variety && varyAnswers(parts.variety),
    limitBody: limitBody(config.bodyLimit),
    requireCertificate: unlessOff(
      'certificate',
      requireCertificate({ presented, trust, clock, holdBack }),
      nameOrganization,
    ),
    verifySignature: unlessOff('signature', verifySignature({ trust, clock, ...signatureRulesOf(config) })),
    requireToken: unlessOff('token', requireToken(parts), grantEverything),
    limitRate: limitRate({ clock, perSecond: config.rateLimit, replicas: parts.store.replicas, holdBack }),
    selectVersion: selectVersion(versions),
    ...parts.layers,
  }
}

const grantEverything = (call: Call): void => {
  const organizationId = call.organization?.organizationId ?? ''
  call.token = { organizationId, scopes: SCOPES, expiresAt: Number.POSITIVE_INFINITY }
}
