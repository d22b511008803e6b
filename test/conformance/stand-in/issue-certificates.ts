import 'reflect-metadata'
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const HOUR = 3_600_000

type IssuedIdentity = { certificate: string; privateKey: string }

/**
 * Creates a certificate authority for the stand-in deployment; its `issue` signs certificates, for localhost too, valid
 * until a time in epoch ms.
 */
export const createTestAuthority = async () => {
  const keys = await newKeys()
  const name = 'CN=Stand-in authority'
  const root = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: EC,
    ...validUntil(Date.now() + 24 * HOUR),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  })
  return {
    certificate: root.toString('pem'),
    issue: async (commonName: string, notAfter = Date.now() + 12 * HOUR): Promise<IssuedIdentity> => {
      const own = await newKeys()
      const certificate = await X509CertificateGenerator.create({
        subject: `CN=${commonName}`,
        issuer: name,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: EC,
        ...validUntil(notAfter),
        extensions: [
          new SubjectAlternativeNameExtension([
            { type: 'dns', value: 'localhost' },
            { type: 'ip', value: '127.0.0.1' },
          ]),
        ],
      })
      return { certificate: certificate.toString('pem'), privateKey: await privatePem(own.privateKey) }
    },
  }
}

const newKeys = () => crypto.subtle.generateKey(EC, true, ['sign', 'verify']) as Promise<CryptoKeyPair>

const validUntil = (notAfter: number) => ({ notBefore: new Date(notAfter - 48 * HOUR), notAfter: new Date(notAfter) })

const privatePem = async (key: CryptoKey): Promise<string> => {
  const text = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${text.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
}
