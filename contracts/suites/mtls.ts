import type { Exchange } from '../client/exchange.ts'
import type { Expect } from '../harness/expect.ts'
import { type Probe, probing } from './probe.ts'
import { createStranger, expiredIdentity } from './stranger.ts'
import { askToken, readKeys, readStatus } from './vehicles.ts'

/** A refusal below HTTP: the server ended the handshake, or the connection right after it. */
const ALERT = /\balert\b|ECONNRESET|EPIPE/i

const endedByTls = ({ fault }: Exchange): boolean => fault !== undefined && ALERT.test(`${fault.code} ${fault.message}`)

/** The document names 400, 401 and 403 for one fault, so all of them will do, as will a TLS alert. */
const refusesCertificate = (exchange: Exchange, expect: Expect): void => {
  if (!endedByTls(exchange)) expect.refused(exchange, { status: [400, 401, 403] })
}

const NOBODY = { connection: { identity: null } }

const WITHOUT_CERTIFICATE: Probe[] = [
  {
    id: 'MTLS-02',
    clause: '5, 7.1',
    title: 'a business call without a client certificate is refused',
    control: 'MTLS-01',
    send: world => readStatus(world, NOBODY),
    judge: (evidence, expect) => refusesCertificate(evidence.of('MTLS-02'), expect),
  },
  {
    id: 'MTLS-03',
    clause: '4, 5',
    title: 'a token call without a client certificate is refused',
    control: 'TOK-01',
    send: world => askToken(world, NOBODY),
    judge: (evidence, expect) => refusesCertificate(evidence.of('MTLS-03'), expect),
  },
  {
    id: 'MTLS-04',
    clause: '5.5, 7.1, 7.3',
    title: 'where that refusal is HTTP it is 400 with a 4xxx code',
    control: 'MTLS-01',
    send: world => readStatus(world, NOBODY),
    judge: (evidence, expect) => {
      const exchange = evidence.of('MTLS-04')
      if (!endedByTls(exchange)) expect.refused(exchange, { status: 400, code: '4' })
    },
  },
]

const FOREIGN: Probe[] = [
  {
    id: 'MTLS-05',
    clause: '5.1',
    title: 'a certificate from an authority that the service does not trust is refused',
    control: 'MTLS-01',
    send: async world => readStatus(world, { connection: { identity: await createStranger() } }),
    judge: (evidence, expect) => refusesCertificate(evidence.of('MTLS-05'), expect),
  },
  {
    id: 'MTLS-06',
    clause: '5.5, 7.3',
    title: 'an expired client certificate is refused',
    control: 'TOK-01',
    send: async world => askToken(world, { connection: { identity: await expiredIdentity(world) } }),
    judge: (evidence, expect) => refusesCertificate(evidence.of('MTLS-06'), expect),
  },
  {
    id: 'MTLS-07',
    clause: '5.5, 7.3',
    title: "one organization's token over another's certificate: 403 and 4971",
    control: 'MTLS-01',
    needs: ['secondOrganization'],
    send: async world => {
      const { merchant } = await world.second()
      const path = { transactionId: await world.given.foreignPayment() }
      return merchant.request('status', { path }, { token: await world.merchant.tokenFor() })
    },
    refused: { status: 403, code: '4971' },
  },
]

const VERSIONS: Probe[] = [
  {
    id: 'MTLS-08',
    clause: '5.1',
    title: 'production refuses TLS 1.2',
    tier: 0,
    control: 'MTLS-10',
    exempt: ({ target }) => (target.environment === 'production' ? undefined : 'asked of production only'),
    send: world => readKeys(world, { connection: { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } }),
    judge: (evidence, expect) => refusesVersion(evidence.of('MTLS-08'), expect),
  },
  {
    id: 'MTLS-09',
    clause: '5.1',
    title: 'TLS 1.1 is refused',
    tier: 0,
    control: 'MTLS-10',
    send: world => readKeys(world, { connection: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } }),
    judge: (evidence, expect) => refusesVersion(evidence.of('MTLS-09'), expect),
  },
  {
    id: 'MTLS-12',
    clause: '5',
    title: 'a resumed session does not bring along a certificate that this connection did not present',
    tier: 1,
    basis: 'assumed',
    decisions: ['D-12'],
    control: 'MTLS-01',
    send: async world => {
      const { transport, credentials } = world.merchant
      const session = await transport.session(credentials.baseUrl)
      return readStatus(world, { connection: { identity: null, ...(session && { session }) } })
    },
    judge: (evidence, expect) => refusesCertificate(evidence.of('MTLS-12'), expect),
  },
]

const refusesVersion = (exchange: Exchange, expect: Expect): void => {
  if (endedByTls(exchange)) return
  expect.answered(exchange)
  expect.holds(false, 'the handshake to fail', `an answer over ${exchange.tls}`, exchange)
}

/** Certificates and TLS (5, 5.1). */
export const mtls = [
  probing({ name: 'the three layers in place', tier: 1 }, [
    {
      id: 'MTLS-01',
      clause: '5, 5.1',
      title: 'certificate, token and signature in order: served',
      send: world => readStatus(world),
    },
    {
      id: 'MTLS-10',
      clause: '5.1',
      title: 'a TLS 1.3 handshake succeeds',
      tier: 0,
      send: world => readKeys(world, { connection: { minVersion: 'TLSv1.3' } }),
      judge: (evidence, expect) => {
        const exchange = evidence.of('MTLS-10')
        if (!endedByTls(exchange)) expect.answered(exchange)
        expect.equal('TLS version', exchange.tls, 'TLSv1.3', exchange)
      },
    },
  ]),
  probing({ name: 'no client certificate', tier: 1 }, WITHOUT_CERTIFICATE),
  probing({ name: "somebody else's certificate", tier: 1 }, FOREIGN),
  probing({ name: 'versions and sessions of TLS', tier: 1 }, VERSIONS),
]
