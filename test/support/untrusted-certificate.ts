import 'reflect-metadata'

import { randomBytes } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { TlsIdentity } from './raw-http.ts'

const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const AN_HOUR = 3_600_000

/**
 * Creates a certificate for tests that the sandbox does not trust: self-signed, or of an unknown authority with the
 * same name.
 */
export const createUntrustedCertificate = async (
  subject: string,
  { byAuthority = false } = {},
): Promise<TlsIdentity> => {
  const keys = await newKeys()
  const life = {
    serialNumber: `4${randomBytes(8).toString('hex')}`,
    notBefore: new Date(Date.now() - AN_HOUR),
    notAfter: new Date(Date.now() + AN_HOUR),
    signingAlgorithm: CURVE,
  }
  const certificate = byAuthority
    ? await x509.X509CertificateGenerator.create({
        ...life,
        subject,
        issuer: 'CN=Assay Sandbox CA,O=Assay Sandbox',
        publicKey: keys.publicKey,
        signingKey: (await newKeys()).privateKey,
      })
    : await x509.X509CertificateGenerator.createSelfSigned({ ...life, name: subject, keys })
  const privateKey = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  return { certificate: certificate.toString('pem'), privateKey }
}

const newKeys = () => crypto.subtle.generateKey(CURVE, true, ['sign', 'verify']) as Promise<CryptoKeyPair>
