import 'reflect-metadata'

import { X509CertificateGenerator } from '@peculiar/x509'
import type { Identity } from '../client/credentials.ts'

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** A client certificate that nobody has reason to trust: its authority is itself (5.1). */
export const createStranger = async (): Promise<Identity> => {
  const keys = await crypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const name = 'CN=stranger'
  const notBefore = new Date(Date.now() - 3_600_000)
  const notAfter = new Date(Date.now() + 86_400_000)
  const options = { name, keys, signingAlgorithm: EC, notBefore, notAfter }
  const certificate = await X509CertificateGenerator.createSelfSigned(options)
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const privateKey = `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
  return { certificate: certificate.toString('pem'), privateKey }
}
