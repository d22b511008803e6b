import fc from 'fast-check'
import { presentCertificate, vector } from '../certificate-handshake-client.ts'
import { editedOctets } from '../edited-text.ts'
import { reportedErrors } from '../fuzz-fixture.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { apiResponseProblem } from '../response-checks.ts'
import { unusualCertificates } from '../unusual-certificates.ts'

/** The body of a Certificate message (RFC 8446 4.4.2), in Latin-1, and the key that vouches for it. */
type Input = { key: string; body: string }

const UNUSUAL_CERTIFICATES = await unusualCertificates()
const REQUEST = 'GET /payments/x/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

const bodyOf = (ders: readonly Uint8Array[], context = Buffer.alloc(0)): Buffer => {
  const entries = ders.map(der => Buffer.concat([vector(3, der), vector(2)]))
  return Buffer.concat([vector(1, context), vector(3, ...entries)])
}
const latin1 = (octets: Uint8Array): string => Buffer.from(octets).toString('latin1')
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

const input = fc.constantFrom(...UNUSUAL_CERTIFICATES).chain(({ key, der }) => {
  const damaged = editedOctets([der]).map(text => bodyOf([bytes(text)]))
  const cut = fc.nat(der.length).map(length => bodyOf([der.subarray(0, length)]))
  const chain = fc
    .array(fc.constantFrom(...UNUSUAL_CERTIFICATES), { maxLength: 9 })
    .map(more => bodyOf([der, ...more.map(unusual => unusual.der)]))
  const context = fc.uint8Array({ maxLength: 9 }).map(octets => bodyOf([der], Buffer.from(octets)))
  const lying = editedOctets([bodyOf([der]), bodyOf([]), bodyOf([der, der])])
  const body = fc.oneof(...[damaged, cut, chain, context].map(octets => octets.map(latin1)), lying)
  return fc.record({ key: fc.constant(key), body })
})

/** Fuzz target: malformed TLS Certificate messages; an alert or a response, and other clients are still served (5.1). */
export const tlsCertificateMessages = fuzzTarget<Input>({
  name: 'tls',
  sends: 'Certificate messages in TLS handshakes: DER that is cut or damaged, chains, lengths that lie',
  inputs: input,
  covers: [
    'simulator/http/listen.ts',
    'simulator/http/client-certificate-from-tls-or-proxy.ts',
    'simulator/http/certificate-and-key-cache.ts',
    'simulator/http/respond-to-malformed-http.ts',
  ],
  few: 25,
  open: async fixture => {
    const sandbox = await fixture.guarded()
    const served = async () =>
      apiResponseProblem(await sandbox.send(await sandbox.sign({ target: '/payments/x/status' })), sandbox)
    return async ({ key, body }) => {
      const shown = { certificate: bytes(body), privateKey: key, request: REQUEST }
      const [{ response, alert = 0, isReset, isSilent }, fault] = await Promise.all([
        presentCertificate(sandbox.apiPort, shown),
        served(),
      ])
      if (isSilent) return 'the connection stays open without a word'
      if (response === '' && alert === 0 && !isReset) return 'the connection ended without an alert'
      if (response !== '' && !/^HTTP\/1\.1 [234]\d\d /.test(response)) return `the answer is ${response.slice(0, 200)}`
      return fault ?? (await served()) ?? reportedErrors(sandbox)
    }
  },
})
