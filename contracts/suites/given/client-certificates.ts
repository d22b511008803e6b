import { X509Certificate } from 'node:crypto'
import type { Identity } from '../../client/credentials.ts'
import { realTime } from '../../client/wall-clock.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import { readIdentity } from '../../harness/profile/read-profile-credentials.ts'
import type { CheckContext } from '../context/check-context.ts'
import type { ControlDriver } from '../context/control-driver.ts'

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const HOUR = 3_600_000

/** Loads the library that writes X.509 only where a check needs it: it takes a fifth of a start of `assay certify`. */
const loadX509 = async () => {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

/** Creates a self-signed client certificate, which no service trusts (5.1). */
export const createUntrustedIdentity = async (): Promise<Identity> => {
  const { X509CertificateGenerator } = await loadX509()
  const keys = await newKeys()
  const name = 'CN=stranger'
  const notBefore = new Date(realTime() - HOUR)
  const notAfter = new Date(realTime() + 24 * HOUR)
  const options = { name, keys, signingAlgorithm: EC, notBefore, notAfter }
  const certificate = await X509CertificateGenerator.createSelfSigned(options)
  return { certificate: certificate.toString('pem'), privateKey: await privatePem(keys) }
}

/**
 * Returns a client certificate that was revoked (5.1), for checks: the profile's, else a new one issued and revoked by
 * control.
 */
export const revokedIdentity = async ({ profile, control }: CheckContext): Promise<Identity> => {
  const given = readIdentity(profile, 'revokedIdentity')
  if (given) return given
  if (!profile.control || profile.target.environment === 'production')
    throw new Untestable(
      `no revoked certificate is at hand: add to ${profile.file} the line revokedIdentity with one`,
      undefined,
      'revokedIdentity',
    )
  const identity = await issue(control, 'CN=revoked', new Date(realTime() + 24 * HOUR))
  await control.revokeCertificate(new X509Certificate(identity.certificate).fingerprint256)
  return identity
}

/**
 * Returns an expired but otherwise valid client certificate (5.5), for checks: the profile's, else a new one issued by
 * control.
 */
export const expiredIdentity = async ({ profile, control }: CheckContext): Promise<Identity> => {
  const given = readIdentity(profile, 'expiredIdentity')
  if (given) return given
  if (!profile.control || profile.target.environment === 'production')
    throw new Untestable(
      `no expired certificate is at hand: add to ${profile.file} the line expiredIdentity with one`,
      undefined,
      'expiredIdentity',
    )
  return issue(control, 'CN=late', new Date(realTime() - HOUR))
}

/** Has control issue a client certificate for a new key, valid until a time. */
const issue = async (control: ControlDriver, name: string, validTo: Date): Promise<Identity> => {
  const { Pkcs10CertificateRequestGenerator } = await loadX509()
  const keys = await newKeys()
  const request = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: EC })
  const certificate = await control.certify(request.toString('pem'), validTo.toISOString())
  return { certificate, privateKey: await privatePem(keys) }
}

const newKeys = () => crypto.subtle.generateKey(EC, true, ['sign', 'verify']) as Promise<CryptoKeyPair>

const privatePem = async ({ privateKey }: CryptoKeyPair): Promise<string> => {
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
}
