import { createSecureContext } from 'node:tls'
import fc from 'fast-check'
import type { ControlPlaneFeatures } from '../../../simulator/compose-control-plane.ts'
import { ControlError } from '../../../simulator/support/control-error.ts'
import { type RawRequest, withHeader } from '../../support/create-signed-raw-request.ts'
import { pemBlock } from '../../support/malformed-pem.ts'
import { exchangeRaw } from '../../support/raw-http.ts'
import { openRawSandbox, type RawSandbox } from '../../support/raw-request-sandbox.ts'
import { editedOctets } from '../edited-text.ts'
import type { FuzzFixture } from '../fuzz-fixture.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { apiResponseProblem } from '../response-checks.ts'
import { unusualCertificates } from '../unusual-certificates.ts'

/** A certificate in Latin-1 and its key; sent `copies` times, followed by a chain of other certificates. */
type Input = {
  key: string
  der: string
  copies: number
  chain: number
  registration: 'unknown' | 'registered' | 'revoked'
}

const UNUSUAL_CERTIFICATES = await unusualCertificates()

const input = fc.constantFrom(...UNUSUAL_CERTIFICATES).chain(unusual => {
  const whole = Buffer.from(unusual.der)
  return fc.record({
    key: fc.constant(unusual.key),
    der: fc.oneof(
      { weight: 3, arbitrary: fc.constant(whole.toString('latin1')) },
      { weight: 5, arbitrary: editedOctets([whole]) },
      { weight: 1, arbitrary: fc.nat(whole.length).map(length => whole.toString('latin1', 0, length)) },
    ),
    copies: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.constantFrom(2, 60)),
    chain: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constantFrom(1, 12)),
    registration: fc.constantFrom('unknown', 'registered', 'revoked'),
  })
})

/** Fuzz target: client certificates in the handshake and in Client-Cert (5.1, RFC 9440); a response or a TLS alert. */
export const clientCertificates = fuzzTarget<Input>({
  name: 'handshakes',
  sends: 'client certificates at TLS handshakes and in Client-Cert: unusual, damaged, cut short, chains',
  inputs: input,
  covers: [
    'simulator/http/client-certificate-from-tls-or-proxy.ts',
    'simulator/http/certificate-and-key-cache.ts',
    'simulator/http/listen.ts',
    'simulator/http/layers/require-certificate.ts',
    'simulator/installation/client-certificate-registry.ts',
  ],
  few: 25,
  open: async fixture => {
    const [direct, proxied] = [await fixture.guarded(), await behindProxy(fixture)]
    return async ({ key, der, copies, chain, registration }) => {
      const bytes = Buffer.from(der, 'latin1')
      const pem = pemBlock('CERTIFICATE', bytes)
      for (const { simulator } of [direct, proxied]) await prepareCertificate(registration, simulator.controlPlane, pem)
      const chained =
        pem.repeat(copies) +
        UNUSUAL_CERTIFICATES.slice(0, chain)
          .map(({ der }) => pemBlock('CERTIFICATE', der))
          .join('')
      const header = `:${bytes.toString('base64')}:`
      return (
        (await problemOfHandshake(direct, { certificate: chained, privateKey: key })) ??
        (await problemOfResponse(proxied, message => withHeader(message, 'Client-Cert', ...Array(copies).fill(header))))
      )
    }
  },
})

const behindProxy = async (fixture: FuzzFixture): Promise<RawSandbox> => {
  const sandbox = await openRawSandbox({ config: { clientCertFrom: ['127.0.0.1'] }, throughProxy: true })
  fixture.onClose(sandbox.close)
  return sandbox
}

/** Registers or revokes the certificate before it is presented. */
const prepareCertificate = async (
  registration: Input['registration'],
  { certificates }: ControlPlaneFeatures,
  pem: string,
): Promise<void> => {
  if (registration === 'unknown') return
  try {
    const { fingerprint } = await certificates.register('other-merchant', pem)
    if (registration === 'revoked') await certificates.revoke('other-merchant', fingerprint)
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
  }
}

/** The problem of a call with this certificate, if a client can present it; then of a call with a valid one. */
const problemOfHandshake = async (sandbox: RawSandbox, identity: { certificate: string; privateKey: string }) => {
  if (!isShowable(identity)) return undefined
  const message = await sandbox.sign({ target: '/payments/x/status' })
  const { answers, error } = await exchangeRaw(sandbox.apiPort, message, { identity })
  const [answer] = answers
  if (answer === undefined && error === undefined) return 'the connection ended without a response'
  return (answer && (await apiResponseProblem(answer, sandbox))) ?? problemOfResponse(sandbox)
}

const isShowable = ({ certificate, privateKey }: { certificate: string; privateKey: string }): boolean => {
  try {
    return createSecureContext({ cert: certificate, key: privateKey }) !== undefined
  } catch {
    return false
  }
}

const problemOfResponse = async (
  sandbox: RawSandbox,
  change: (message: RawRequest) => RawRequest = message => message,
) => {
  const message = change(await sandbox.sign({ target: '/payments/x/status' }))
  return apiResponseProblem(await sandbox.send(message), sandbox)
}
