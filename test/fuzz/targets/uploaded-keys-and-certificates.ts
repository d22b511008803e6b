import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { readCertificateRequest } from '../../../simulator/installation/read-certificate-request.ts'
import { readPublicSigningKey } from '../../../simulator/installation/read-public-key.ts'
import { ControlError } from '../../../simulator/support/control-error.ts'
import {
  createCertificateRequest,
  createSelfSignedIdentity,
  newKeyPair,
} from '../../support/generate-keys-and-certificates.ts'
import { pemBlock, pemBytes } from '../../support/malformed-pem.ts'
import { editedJson } from '../edited-json.ts'
import { editedOctets, nearly } from '../edited-text.ts'
import { reportedErrors } from '../fuzz-fixture.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { sentenceProblem } from '../response-checks.ts'

type Input = { as: 'key' | 'csr' | 'certificate'; text: string }

const { privateKey, pem, jwk } = newKeyPair()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
const [csr, { certificate }] = await Promise.all([
  createCertificateRequest(privateKey),
  createSelfSignedIdentity(privateKey),
])

const LABELS = { key: 'PUBLIC KEY', csr: 'CERTIFICATE REQUEST', certificate: 'CERTIFICATE' } as const
const SAMPLES = {
  key: [pem, newKeyPair('ECDSA_SHA_512').pem, rsa.export({ type: 'spki', format: 'pem' }).toString()],
  csr: [csr],
  certificate: [certificate],
} as const

const PIECES = [
  '-----BEGIN ',
  '-----END ',
  '-----',
  'PUBLIC KEY',
  'PRIVATE KEY',
  'CERTIFICATE',
  ' REQUEST',
  '\n\n',
  '=',
  '==',
  'MIIB',
  'Proc-Type: 4,ENCRYPTED\n',
  '{"kty":',
]

/** Damaged octets in good PEM, and PEM that is damaged itself. */
const pems = (as: keyof typeof SAMPLES) =>
  fc.record({
    as: fc.constant(as),
    text: fc.oneof(
      {
        weight: 3,
        arbitrary: editedOctets(SAMPLES[as].map(pemBytes)).map(text =>
          pemBlock(LABELS[as], Buffer.from(text, 'latin1')),
        ),
      },
      { weight: 1, arbitrary: nearly([...SAMPLES[as]], PIECES) },
    ),
  })

const jwks = editedJson(
  [jwk, { ...jwk, kid: 'x', use: 'sig', alg: 'ES256' }, { keys: [jwk] }],
  ['"P-521"', '"AAAA"', '"RSA"', '"OKP"', '"oct"'],
  ['d', 'k', 'n', 'e', 'x', 'keys'],
)

/** Fuzz target: uploaded public keys, CSRs and certificates (5.1, 5.2); accepted, or refused with a message. */
export const keysAndCertificates = fuzzTarget<Input>({
  name: 'keys',
  sends: 'PEM, DER and JWK of public keys, certificate requests and certificates',
  inputs: fc.oneof(
    pems('key'),
    pems('csr'),
    pems('certificate'),
    fc.record({ as: fc.constant<'key'>('key'), text: jwks }),
  ),
  covers: [
    'simulator/installation/read-pem.ts',
    'simulator/installation/read-public-key.ts',
    'simulator/installation/read-certificate-request.ts',
    'simulator/installation/client-certificate-registry.ts',
  ],
  guided: ['text'],
  few: 120,
  open: async fixture => {
    const sandbox = await fixture.open()
    const { controlPlane: operator } = sandbox.simulator
    const take = {
      key: readPublicSigningKey,
      csr: readCertificateRequest,
      certificate: (text: string) => operator.certificates.register('other-merchant', text),
    }
    return async ({ as, text }) => {
      try {
        await take[as](text)
      } catch (error) {
        if (!(error instanceof ControlError)) throw error
        return sentenceProblem(error.message)
      }
      return reportedErrors(sandbox)
    }
  },
})
