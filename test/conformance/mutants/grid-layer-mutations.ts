import type { IncomingMessage } from 'node:http'
import type { Profile } from '../../../contracts/harness/profile/profile.ts'
import { OPERATIONS, type OperationName } from '../../../contracts/operations.ts'
import type { ApiCall, IdentifiedCall } from '../../../simulator/http/api-call.ts'
import { createCertificateAndKeyCache } from '../../../simulator/http/certificate-and-key-cache.ts'
import { verifySignature } from '../../../simulator/http/layers/verify-signature.ts'
import type { Reply } from '../../../simulator/store/unit-of-work.ts'
import { createClock } from '../../../simulator/support/clock.ts'
import { Refusal } from '../../../simulator/support/refusal.ts'
import { newKeyPair } from '../../support/generate-keys-and-certificates.ts'
import { openTestStore } from '../../support/open-test-store.ts'
import type { Mutation } from './mutant.ts'
import { mutateSignedResponse } from './mutations-of-matching-calls.ts'
import { mutateRequest, outermostLayer } from './simulator-mutations.ts'

/** Id of the organization whose calls a grid of checks makes. */
export const CALLER = 'demo-merchant'

/** Whether a request target is that of an operation, for mutations of one operation. */
export const isTargetOf = (operation: OperationName, target = ''): boolean => {
  const { path } = OPERATIONS[operation]
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`).test(target)
}

/** Mutation: one operation treats a caller with another certificate, or with none, as the demo organization. */
export const forgiveCertificate =
  (operation: OperationName, isForgiven: (owner: string | undefined) => boolean): Mutation =>
  async (dataDir, hits) => {
    const store = await openTestStore(dataDir)
    const requireCertificate = async ({ incoming }: ApiCall) => {
      const certificate = (incoming.socket as import('node:tls').TLSSocket).getPeerX509Certificate()
      const known = certificate && (await store.certificate(certificate.fingerprint256))
      const owner = known?.organizationId
      const isCaller = /keyid="([^"]*)"/.exec(String(incoming.headers['signature-input']))?.[1]?.startsWith(CALLER)
      const forgiven = isTargetOf(operation, incoming.url) && owner !== CALLER && isCaller && isForgiven(owner)
      if (forgiven) hits.count += 1
      const organization = forgiven ? await store.organization(CALLER) : owner && (await store.organization(owner))
      if (organization) return organization
      throw new Refusal('CERTIFICATE_REFUSED', 'certificate', 'There is no client certificate.')
    }
    return { store, layers: { requireCertificate } }
  }

/** A token that the service issued. */
type IssuedToken = { token: string; organizationId: string; scope: string }
type TokenFault = (presented: string | undefined, issued: IssuedToken | undefined) => boolean

/** Mutation: one operation takes a token with this fault for a correct one; `answer` replaces what it then returns. */
export const forgiveToken =
  (operation: OperationName, isForgiven: TokenFault, answer?: Reply): Mutation =>
  async (dataDir, hits) => {
    const issued: IssuedToken[] = []
    const noting = mutateSignedResponse(
      (_headers, body, { organization }) => {
        const { access_token: token, scope = '' } = JSON.parse(body)
        issued.push({ token, scope, organizationId: organization?.organizationId ?? '' })
        return undefined
      },
      ({ incoming }, status) => status < 300 && isTargetOf('token', incoming.url),
    )
    const { scope: wanted = '' } = OPERATIONS[operation]
    const correctFor = ({ url, headers }: IncomingMessage): string | undefined => {
      const presented = headers.authorization?.replace('Bearer ', '')
      const known = issued.find(({ token }) => token === presented)
      const correct = issued.findLast(it => it.organizationId === CALLER && it.scope.includes(wanted))
      return isTargetOf(operation, url) && isForgiven(presented, known) ? correct?.token : undefined
    }
    const swapped = outermostLayer(async (c, next) => {
      const correct = correctFor(c.env.incoming)
      if (correct !== undefined) {
        hits.count += 1
        c.env.incoming.headers.authorization = `Bearer ${correct}`
      }
      await next()
      if (answer && correct !== undefined) c.var.call.reply = answer
    })
    const noted = await noting(dataDir, { count: 0 })
    return { layers: { ...noted.layers, ...swapped.layers } }
  }

const NO_SCOPE = { http: 403, body: '{"status":"DECLINED","statusInfo":{"reasonCode":"4971","message":"No."}}' }

/** Mutation: a token that was asked for reports alone has that scope alone, and one operation that reads takes it. */
export const forgiveReportScope =
  (operation: OperationName): Mutation =>
  async (_dataDir, hits) => {
    const alone = new Set<string>()
    return outermostLayer(async (c, next) => {
      await next()
      const { call } = c.var
      const { url, headers } = call.incoming
      if (isTargetOf('token', url) && call.reply?.http === 200) {
        const body = JSON.parse(call.reply.body)
        if (body.scope !== 'payments:read data:reports') return
        alone.add(body.access_token)
        call.reply = { ...call.reply, body: JSON.stringify({ ...body, scope: 'openid data:reports' }) }
      }
      if (!alone.has(String(headers.authorization).replace('Bearer ', '')) || /reports/.test(url ?? '')) return
      if (isTargetOf(operation, url)) hits.count += 1
      else call.reply = NO_SCOPE
    })
  }

export const TOKEN_FAULTS = {
  missing: presented => presented === undefined,
  garbled: presented => presented !== undefined && !presented.includes('.'),
  tampered: (presented, known) => presented?.includes('.') === true && !known,
  scopeless: (_presented, known) => known?.organizationId === CALLER && !/process|reports/.test(known.scope),
  reporting: (_presented, known) =>
    known?.organizationId === CALLER && /reports/.test(known.scope) && !/process/.test(known.scope),
  foreign: (_presented, known) => known !== undefined && known.organizationId !== CALLER,
} as const satisfies Record<string, TokenFault>

/** Patterns of the messages by which the service says why it refused a signature, by reason. */
export const SIGNATURE_FAULTS = {
  missing: /^Signature is missing/,
  unverified: /^The signature does not verify/,
  digest: /^(?!The component list).*digest/i,
  list: /^The component list/,
  deregistered: /was deregistered/,
  foreign: /is not a registered signing key/i,
} as const

type VerifyLayer = (call: IdentifiedCall) => Promise<void> | void

const withVerification =
  (change: (verify: VerifyLayer, hits: { count: number }) => VerifyLayer): Mutation =>
  async (dataDir, hits) => {
    const store = await openTestStore(dataDir)
    const clock = createClock()
    const dialect = { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] } as const
    const identityCache = createCertificateAndKeyCache(store)
    const verify = verifySignature({ identityCache, clock, dialect, maxAgeSeconds: 300, maxAheadSeconds: 60 })
    return { store, identityCache, clock, layers: { verifySignature: change(verify, hits) } }
  }

/** Mutation: one operation serves a call whose signature was refused for this reason. */
export const forgiveSignature = (operation: OperationName, reason: RegExp): Mutation =>
  withVerification((verify, hits) => async call => {
    try {
      await verify(call)
    } catch (refusal) {
      if (!isTargetOf(operation, call.incoming.url) || !reason.test((refusal as Error).message)) throw refusal
      hits.count += 1
    }
  })

const EXPIRED = { keyId: `${CALLER}-expired`, environment: 'ASSAY_TEST_EXPIRED_KEY' }

/**
 * Adds an expired key to the profile of a mutant's run; the service does not know it, and refuses it like any that does
 * not count.
 */
export const withExpiredKey = (profile: Profile): Profile => {
  process.env[EXPIRED.environment] ??= newKeyPair('ECDSA_SHA_256')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  const privateKey = `env:${EXPIRED.environment}`
  return { ...profile, expiredKey: { keyId: EXPIRED.keyId, algorithm: 'ECDSA_SHA_256', privateKey } }
}

/** Mutation: the given operation serves a call that is signed with the expired key of the profile. */
export const forgiveExpiredKey = (operation: OperationName): Mutation =>
  withVerification((verify, hits) => async call => {
    try {
      await verify(call)
    } catch (refusal) {
      const isExpired = String(call.incoming.headers['signature-input']).includes(`"${EXPIRED.keyId}"`)
      if (!isTargetOf(operation, call.incoming.url) || !isExpired) throw refusal
      hits.count += 1
    }
  })

/** Mutation: the given operation does not sign what it serves. */
export const leaveUnsigned = (operation: OperationName): Mutation =>
  mutateSignedResponse(
    headers => headers.delete('signature') as undefined,
    ({ incoming }, status) => status < 300 && isTargetOf(operation, incoming.url),
  )

/** Mutation: the given operation takes no notice of a member that is added to its query, nor does its signature. */
export const forgiveAddedQuery = (operation: OperationName): Mutation =>
  mutateRequest(incoming => {
    const { url = '' } = incoming
    const shorter = url.replace(/[?&]added=1$/, '')
    if (!isTargetOf(operation, url) || shorter === url) return false
    incoming.url = shorter
    return true
  })
