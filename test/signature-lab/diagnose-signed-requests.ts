import { type DiagnosisInput, diagnoseRequest } from '../../contracts/protocol/signature-lab/diagnose-request.ts'
import type { LabRequest } from '../../contracts/protocol/signature-lab/lab-request.ts'
import type { CandidateKey } from '../../contracts/protocol/signature-lab/search-signed-base.ts'
import { KEY_PAIRS } from '../protocol/generated-key-pairs.ts'
import { CERTIFICATE_KEY_PAIR, NOW, type SigningChoices, signedRequest } from './sign-requests-with-mistakes.ts'

/** Sample keys of a test's organization, which the signature lab may try on a request. */
export const REGISTERED_KEYS: readonly CandidateKey[] = [
  ...KEY_PAIRS.map(({ keyId, algorithm, publicKey }) => ({
    name: keyId,
    use: 'signing' as const,
    algorithm,
    publicKey,
  })),
  {
    use: 'certificate',
    name: 'certificate',
    algorithm: CERTIFICATE_KEY_PAIR.algorithm,
    publicKey: CERTIFICATE_KEY_PAIR.publicKey,
  },
]

export const diagnoseWithKeys = (asked: LabRequest, more: Partial<DiagnosisInput> = {}) =>
  diagnoseRequest({
    request: asked,
    keys: REGISTERED_KEYS,
    dialect: { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] },
    now: NOW,
    maxAge: 300,
    maxAhead: 60,
    budget: { verifications: 60_000, isOver: () => false },
    clientIds: ['demo-merchant'],
    ...more,
  })

export const causesOf = async (changes: Partial<SigningChoices>, more: Partial<DiagnosisInput> = {}) => {
  const { faults, alternatives } = await diagnoseWithKeys(signedRequest(changes), more)
  return { faults: faults.map(({ cause }) => cause), alternatives: alternatives.map(({ cause }) => cause) }
}
