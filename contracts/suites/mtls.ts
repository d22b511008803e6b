import type { Exchange } from '../client/http-exchange.ts'
import { assumed } from '../harness/judge/check.ts'
import type { Expect, ExpectedRefusal } from '../harness/judge/check-assertions.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { type SingleCallCheck, singleCallScenario } from './check-builders/single-call-checks.ts'
import { createUntrustedIdentity, expiredIdentity, revokedIdentity } from './given/client-certificates.ts'
import { readKeySet, readStatus, requestToken } from './given/harmless-calls.ts'

/** Transport errors that mean a refusal by TLS: a failed handshake, or a connection closed right after it. */
const ALERT = /\balert\b|ECONNRESET|EPIPE/i

const endedByTls = ({ transportError }: Exchange): boolean =>
  transportError !== undefined && ALERT.test(`${transportError.code} ${transportError.message}`)

/** Expects a refusal of the client certificate: a TLS alert, or 400, 401 or 403, which the document all names (C1). */
const expectCertificateRefused = (exchange: Exchange, expect: Expect, more: ExpectedRefusal = {}): void => {
  if (!endedByTls(exchange)) expect.refused(exchange, { status: [400, 401, 403], ...more })
}

/** Expects a refusal of a certificate that is not absent, but wrong. */
const expectWrongCertificateRefused = (exchange: Exchange, expect: Expect): void =>
  expectCertificateRefused(exchange, expect, { decidedBy: 'D-12' })

const isProduction = ({ target }: Pick<Profile, 'target'>): boolean => target.environment === 'production'

const NOBODY = { connection: { identity: null } }

const WITHOUT_CERTIFICATE: SingleCallCheck[] = [
  {
    id: 'MTLS-02',
    clause: '5, 7.1',
    title: 'a business call without a client certificate is refused',
    control: 'MTLS-01',
    send: context => readStatus(context, NOBODY),
    judge: (evidence, expect) => expectCertificateRefused(evidence.of('MTLS-02'), expect),
  },
  {
    id: 'MTLS-03',
    clause: '4, 5',
    title: 'a token call without a client certificate is refused',
    control: 'TOK-01',
    send: context => requestToken(context, NOBODY),
    judge: (evidence, expect) => expectCertificateRefused(evidence.of('MTLS-03'), expect),
  },
  {
    id: 'MTLS-04',
    clause: '5.5, 7.1, 7.3',
    title: 'where that refusal is HTTP it is 400 with a 4xxx code',
    control: 'MTLS-01',
    send: context => readStatus(context, NOBODY),
    judge: (evidence, expect) => {
      const exchange = evidence.of('MTLS-04')
      if (!endedByTls(exchange)) expect.refused(exchange, { status: 400, code: '4' })
    },
  },
]

const FOREIGN: SingleCallCheck[] = [
  {
    id: 'MTLS-05',
    clause: '5.1',
    title: 'a certificate from an authority that the service does not trust is refused',
    control: 'MTLS-01',
    send: async context => readStatus(context, { connection: { identity: await createUntrustedIdentity() } }),
    judge: (evidence, expect) => expectWrongCertificateRefused(evidence.of('MTLS-05'), expect),
  },
  {
    id: 'MTLS-06',
    clause: '5.5, 7.3',
    title: 'an expired client certificate is refused',
    control: 'TOK-01',
    send: async context => requestToken(context, { connection: { identity: await expiredIdentity(context) } }),
    judge: (evidence, expect) => expectWrongCertificateRefused(evidence.of('MTLS-06'), expect),
  },
  {
    id: 'MTLS-13',
    clause: '5.1',
    title: 'a revoked client certificate is refused',
    control: 'TOK-01',
    needs: ['certificates.revoked'],
    send: async context => requestToken(context, { connection: { identity: await revokedIdentity(context) } }),
    judge: (evidence, expect) => expectWrongCertificateRefused(evidence.of('MTLS-13'), expect),
  },
  {
    id: 'MTLS-07',
    clause: '5.5, 7.3',
    title: "one organization's token over another's certificate: 401, or 403 and 4971",
    control: 'MTLS-01',
    needs: ['secondOrganization'],
    send: async context => {
      const { merchant } = await context.secondOrganization()
      const path = { transactionId: await context.given.foreignPayment() }
      return merchant.request('status', { path }, { token: await context.merchant.tokenFor() })
    },
    judge: (evidence, expect) => {
      const exchange = evidence.of('MTLS-07')
      const { status } = expect.response(exchange)
      expect.refused(exchange, { status: [401, 403], ...(status === 403 && { code: '4971' }) })
    },
  },
]

const VERSIONS: SingleCallCheck[] = [
  {
    id: 'MTLS-08',
    clause: '5.1',
    title: 'production refuses TLS 1.2',
    tier: 0,
    control: 'MTLS-10',
    exempt: profile => (isProduction(profile) ? undefined : 'asked of production only'),
    send: context => readKeySet(context, { token: null, connection: { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } }),
    judge: (evidence, expect) => {
      const unlessAgreed = `, unless an exception is agreed: then say so as notApplicable.MTLS-08 of ${expect.profile.file}`
      expectVersionRefused(evidence.of('MTLS-08'), expect, unlessAgreed)
    },
  },
  {
    id: 'MTLS-09',
    clause: '5.1',
    title: 'TLS 1.1 is refused',
    tier: 0,
    control: 'MTLS-10',
    send: context => readKeySet(context, { token: null, connection: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } }),
    judge: (evidence, expect) => expectVersionRefused(evidence.of('MTLS-09'), expect),
  },
  {
    id: 'MTLS-12',
    clause: '5',
    title: 'a resumed session does not bring along a certificate that this connection did not present',
    tier: 1,
    ...assumed('D-122'),
    control: 'MTLS-01',
    send: async context => {
      const { transport, credentials } = context.merchant
      const session = await transport.session(credentials.baseUrl)
      return readStatus(context, { connection: { identity: null, ...(session && { session }) } })
    },
    judge: (evidence, expect) => expectCertificateRefused(evidence.of('MTLS-12'), expect),
  },
]

const expectVersionRefused = (exchange: Exchange, expect: Expect, unless = ''): void => {
  if (endedByTls(exchange)) return
  expect.response(exchange)
  expect.holds(false, `the handshake to fail${unless}`, `a response over ${exchange.tls}`, exchange)
}

/** Scenarios with checks of client certificates and TLS versions (5, 5.1). */
export const mtls = [
  singleCallScenario({ name: 'the three layers in place', tier: 1 }, [
    {
      id: 'MTLS-01',
      clause: '5, 5.1',
      title: 'certificate, token and signature in order: served',
      send: context => readStatus(context),
    },
    {
      id: 'MTLS-10',
      clause: '5.1',
      title: 'a TLS handshake succeeds, in production one of TLS 1.3',
      tier: 0,
      send: context => {
        const minVersion = isProduction(context.profile) ? 'TLSv1.3' : 'TLSv1.2'
        return readKeySet(context, { token: null, connection: { minVersion } })
      },
      judge: (evidence, expect) => {
        const exchange = evidence.of('MTLS-10')
        if (!endedByTls(exchange)) expect.response(exchange)
        const versions = isProduction(expect.profile) ? ['TLSv1.3'] : ['TLSv1.3', 'TLSv1.2']
        const isMet = exchange.tls !== undefined && versions.includes(exchange.tls)
        expect.holds(isMet, `TLS version ${versions.join(' or ')}`, exchange.tls ?? 'nothing', exchange)
      },
    },
  ]),
  singleCallScenario({ name: 'no client certificate', tier: 1 }, WITHOUT_CERTIFICATE),
  singleCallScenario({ name: "somebody else's certificate", tier: 1 }, FOREIGN),
  singleCallScenario({ name: 'versions and sessions of TLS', tier: 1 }, VERSIONS),
]
