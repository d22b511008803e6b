import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { readCertificateRequest } from '../../../simulator/operator/certificate-request.ts'
import { OperatorError } from '../../../simulator/operator/operator-error.ts'
import { readSigningKey } from '../../../simulator/operator/public-key.ts'
import { newPair, requestFor, selfSigned } from '../../support/identities.ts'
import { block, bytesIn } from '../../wire/spoil-pem.ts'
import { sentenceFaultOf } from '../api-answer.ts'
import { editedJson } from '../edited-json.ts'
import { editedOctets, nearly } from '../edited-text.ts'
import { faultsOf } from '../house.ts'
import { part } from '../part.ts'

type Input = { as: 'key' | 'csr' | 'certificate'; text: string }

const { privateKey, pem, jwk } = newPair()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
const [csr, { certificate }] = await Promise.all([requestFor(privateKey), selfSigned(privateKey)])

const LABELS = { key: 'PUBLIC KEY', csr: 'CERTIFICATE REQUEST', certificate: 'CERTIFICATE' } as const
const SAMPLES = {
  key: [pem, newPair('ECDSA_SHA_512').pem, rsa.export({ type: 'spki', format: 'pem' }).toString()],
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
        arbitrary: editedOctets(SAMPLES[as].map(bytesIn)).map(text => block(LABELS[as], Buffer.from(text, 'latin1'))),
      },
      { weight: 1, arbitrary: nearly([...SAMPLES[as]], PIECES) },
    ),
  })

const jwks = editedJson(
  [jwk, { ...jwk, kid: 'x', use: 'sig', alg: 'ES256' }, { keys: [jwk] }],
  ['"P-521"', '"AAAA"', '"RSA"', '"OKP"', '"oct"'],
  ['d', 'k', 'n', 'e', 'x', 'keys'],
)

/** Keys, certificate requests and certificates of strangers (5.1, 5.2): taken, or refused with a sentence. */
export const keys = part<Input>({
  name: 'keys',
  sends: 'PEM, DER and JWK of public keys, certificate requests and certificates',
  inputs: fc.oneof(
    pems('key'),
    pems('csr'),
    pems('certificate'),
    fc.record({ as: fc.constant<'key'>('key'), text: jwks }),
  ),
  covers: ['simulator/operator/{pem,public-key,certificate-request,certificate-registry}.ts'],
  guided: ['text'],
  few: 120,
  open: async house => {
    const sandbox = await house.open()
    const { operator } = sandbox.simulator
    const take = {
      key: readSigningKey,
      csr: readCertificateRequest,
      certificate: (text: string) => operator.certificates.register('other-merchant', text),
    }
    return async ({ as, text }) => {
      try {
        await take[as](text)
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error
        return sentenceFaultOf(error.message)
      }
      return faultsOf(sandbox)
    }
  },
})
