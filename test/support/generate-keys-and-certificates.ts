import 'reflect-metadata'

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { Pkcs10CertificateRequestGenerator, X509CertificateGenerator } from '@peculiar/x509'
import type { Identity } from '../../contracts/client/credentials.ts'
import type { SigningKey } from '../../contracts/protocol/sign-messages.ts'
import { type AlgorithmName, algorithmNamed } from '../../contracts/protocol/signature-algorithms.ts'

/** Generates a key pair for a test on the curve of an algorithm of 5.2, with its public key as PEM and JWK. */
export const newKeyPair = (algorithm: AlgorithmName = 'ECDSA_SHA_256') => {
  const row = algorithmNamed(algorithm)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: row.nodeCurve })
  return {
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    jwk: publicKey.export({ format: 'jwk' }),
    privateKey,
    signingKey: (keyId: string): SigningKey => ({ keyId, algorithm: row, privateKey }),
  }
}

/** Key pair of a private key as the `CryptoKeyPair` that `@peculiar/x509` needs. */
const cryptoPair = async (privateKey: KeyObject): Promise<CryptoKeyPair> => {
  const jwk = privateKey.export({ format: 'jwk' })
  const { d: _d, ...open } = jwk
  const algorithm = { name: 'ECDSA', namedCurve: String(jwk.crv) }
  return {
    privateKey: await crypto.subtle.importKey('jwk', jwk, algorithm, true, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', open, algorithm, true, ['verify']),
  }
}

const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const

/** Creates a certificate signing request for a test (PKCS #10, PEM) for a key. */
export const createCertificateRequest = async (
  privateKey: KeyObject,
  subject = 'CN=somebody else',
): Promise<string> => {
  const keys = await cryptoPair(privateKey)
  const request = await Pkcs10CertificateRequestGenerator.create({ name: subject, keys, signingAlgorithm: SIGNING })
  return request.toString('pem')
}

type ValidityPeriod = { notBefore?: Date; notAfter?: Date }

/** Creates a self-signed certificate with its private key for a test; valid now for an hour unless dates are given. */
export const createSelfSignedIdentity = async (
  privateKey: KeyObject = newKeyPair().privateKey,
  life: ValidityPeriod = {},
): Promise<Identity> => {
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=self-made,O=Shop',
    keys: await cryptoPair(privateKey),
    signingAlgorithm: SIGNING,
    notBefore: life.notBefore ?? new Date(Date.now() - 60_000),
    notAfter: life.notAfter ?? new Date(Date.now() + 3_600_000),
  })
  return toIdentity(certificate.toString('pem'), privateKey)
}

export const toIdentity = (certificate: string, privateKey: KeyObject): Identity => ({
  certificate,
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
})

export const parsePrivateKey = (pem: string): KeyObject => createPrivateKey(pem)
