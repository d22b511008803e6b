import 'reflect-metadata'
import { Pkcs10CertificateRequestGenerator, X509CertificateGenerator } from '@peculiar/x509'
import type { Identity } from '../../client/credentials.ts'
import { realTime } from '../../client/wall-clock.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import { readExpiredIdentity } from '../../harness/profile/read-profile-credentials.ts'
import type { CheckContext } from '../context/check-context.ts'

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const HOUR = 3_600_000

/** Creates a self-signed client certificate, which no service trusts (5.1). */
export const createUntrustedIdentity = async (): Promise<Identity> => {
  const keys = await newKeys()
  const name = 'CN=stranger'
  const notBefore = new Date(realTime() - HOUR)
  const notAfter = new Date(realTime() + 24 * HOUR)
  const options = { name, keys, signingAlgorithm: EC, notBefore, notAfter }
  const certificate = await X509CertificateGenerator.createSelfSigned(options)
  return { certificate: certificate.toString('pem'), privateKey: await privatePem(keys) }
}

/** Returns an expired but otherwise valid client certificate (5.5): the profile's, else a new one issued by control. */
export const expiredIdentity = async ({ profile, control }: CheckContext): Promise<Identity> => {
  const given = readExpiredIdentity(profile)
  if (given) return given
  if (!profile.control || profile.target.environment === 'production')
    throw new Untestable(
      `no expired certificate is at hand: add to ${profile.file} the line expiredIdentity with one`,
      undefined,
      'expiredIdentity',
    )
  const keys = await newKeys()
  const request = await Pkcs10CertificateRequestGenerator.create({ name: 'CN=late', keys, signingAlgorithm: EC })
  const certificate = await control.certify(request.toString('pem'), new Date(realTime() - HOUR).toISOString())
  return { certificate, privateKey: await privatePem(keys) }
}

const newKeys = () => crypto.subtle.generateKey(EC, true, ['sign', 'verify']) as Promise<CryptoKeyPair>

const privatePem = async ({ privateKey }: CryptoKeyPair): Promise<string> => {
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
}
