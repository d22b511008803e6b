import { createPublicKey, type KeyObject } from 'node:crypto'
import { CompactSign, calculateJwkThumbprint, compactVerify, decodeProtectedHeader, exportJWK } from 'jose'
import type { Verdict } from '../judge/check.ts'
import type { Profile } from '../profile/profile.ts'
import { ConformanceCertificateError } from '../run/command-errors.ts'
import { type ExcludedChecks, groupExcludedChecks } from './excluded-checks.ts'
import type { Exploration } from './exploration.ts'
import { jwsAlgorithm, toReportPublicKey } from './report-signing-keys.ts'
import type { RunReport } from './run-report.ts'
import type { RunSummary } from './run-summary.ts'
import { matchesSavedFileSchema } from './saved-file-schemas.ts'
import type { SuiteIdentity } from './suite-name-and-digest.ts'

/** Payload of a certificate of conformance: digests of the report files of one run, and a summary of what they say. */
export type ConformanceCertificate = {
  format: 1
  issuedAt: string
  suite: SuiteIdentity
  profile: string
  target: Pick<Profile['target'], 'baseUrl' | 'environment'>
  tier: number
  only: readonly string[]
  /** What the run left out and why, absent in certificates of earlier suites: first what the profile excludes, then what tier and patience do. */
  excluded?: readonly ExcludedChecks[]
  summary: RunSummary
  explored?: Exploration
  /** Digest of each file of the report, by its name. */
  files: Readonly<Record<string, string>>
  /** Checks whose verdict cannot be reproduced from the transcript, each with the verdict of the run itself. */
  notRejudged: readonly { id: string; verdict: Verdict }[]
}

/** Returns the members of a certificate that repeat what the report of its run says. */
export const reportedMembers = (
  report: RunReport,
): Required<Pick<ConformanceCertificate, 'excluded'>> & Omit<ConformanceCertificate, 'files' | 'notRejudged'> => ({
  format: 1,
  issuedAt: report.endedAt,
  suite: report.suite,
  profile: report.profile.name,
  target: { baseUrl: report.target.baseUrl, environment: report.target.environment },
  tier: report.tier,
  only: report.only,
  excluded: groupExcludedChecks(report.checks),
  summary: report.summary,
  ...(report.explored && { explored: report.explored }),
})

const TYPE = 'assay-certificate+jws'

/** Signs a certificate of conformance as a compact JWS (RFC 7515); the public key is in the JWS header. */
export const signConformanceCertificate = async (
  certificate: ConformanceCertificate,
  key: KeyObject,
): Promise<string> => {
  const jwk = await exportJWK(createPublicKey(key))
  const header = { alg: jwsAlgorithm(key), typ: TYPE, jwk, kid: await calculateJwkThumbprint(jwk) }
  return new CompactSign(Buffer.from(JSON.stringify(certificate))).setProtectedHeader(header).sign(key)
}

/** A certificate of conformance whose signature is valid; `ownKey` when verified only by the key in its own header. */
export type VerifiedConformanceCertificate = { certificate: ConformanceCertificate; keyId: string; ownKey: boolean }

/** Verifies the signature of a certificate of conformance, by the given public key or else by the key in its header. */
export const verifyConformanceCertificate = async (
  jws: string,
  publicKey?: string,
): Promise<VerifiedConformanceCertificate> => {
  try {
    const key = toReportPublicKey(publicKey ?? embeddedKey(jws))
    const { payload, protectedHeader } = await compactVerify(jws.trim(), key, { algorithms: [jwsAlgorithm(key)] })
    if (protectedHeader.typ !== TYPE)
      throw new ConformanceCertificateError('This is a signed text, and no certificate of a run.')
    const certificate = JSON.parse(Buffer.from(payload).toString()) as ConformanceCertificate
    if (!matchesSavedFileSchema('certificate', certificate))
      throw new ConformanceCertificateError('This is signed, but it is not a certificate of conformance of a run.')
    const keyId = await calculateJwkThumbprint(await exportJWK(key)) // what the header calls it is only a claim
    return { certificate, keyId, ownKey: publicKey === undefined }
  } catch (error) {
    if (error instanceof ConformanceCertificateError) throw error
    throw new ConformanceCertificateError(`The signature of the certificate is not good: ${(error as Error).message}.`)
  }
}

/** Returns the public key in the JWS header, as a JWK text. */
const embeddedKey = (jws: string): string => {
  const { jwk } = decodeProtectedHeader(jws.trim())
  if (!jwk || 'd' in jwk)
    throw new ConformanceCertificateError('The certificate brings no public key along: name one with --key.')
  return JSON.stringify(jwk)
}
