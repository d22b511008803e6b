import 'reflect-metadata'

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { Pkcs10CertificateRequestGenerator, X509CertificateGenerator } from '@peculiar/x509'
import type { Identity } from '../../contracts/client/credentials.ts'
import { type AlgorithmName, algorithmNamed } from '../../contracts/protocol/algorithms.ts'
import type { SigningKey } from '../../contracts/protocol/sign.ts'
import type { Running } from './running.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads by name whatever control told
type Told = { status: number; body: any }

/** One organization's part of control. */
export const controlOf = ({ pagesUrl }: Pick<Running, 'pagesUrl'>, organizationId = 'demo-merchant') => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Told> => {
    const address = `${pagesUrl}/control/organizations/${organizationId}/${path}`
    const answer = await fetch(address, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    return { status: answer.status, body: await answer.json() }
  }
  return {
    get: (path: string) => ask('GET', path),
    post: (path: string, body: unknown) => ask('POST', path, body),
    delete: (path: string) => ask('DELETE', path),
    advance: (duration: string) => ask('POST', 'clock', { advance: duration }),
  }
}

/** A fresh pair on the curve of an algorithm of 5.2, with its public half as PEM and JWK. */
export const newPair = (algorithm: AlgorithmName = 'ECDSA_SHA_256') => {
  const row = algorithmNamed(algorithm)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: row.nodeCurve })
  return {
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    jwk: publicKey.export({ format: 'jwk' }),
    privateKey,
    signingKey: (keyId: string): SigningKey => ({ keyId, algorithm: row, privateKey }),
  }
}

/** The private key of a PEM text, in the form in which `@peculiar/x509` wants pairs. */
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

/** A certificate request for a key, PEM. */
export const requestFor = async (privateKey: KeyObject, subject = 'CN=somebody else'): Promise<string> => {
  const keys = await cryptoPair(privateKey)
  const request = await Pkcs10CertificateRequestGenerator.create({ name: subject, keys, signingAlgorithm: SIGNING })
  return request.toString('pem')
}

export type Life = { notBefore?: Date; notAfter?: Date }

/** A certificate that its own key has signed. */
export const selfSigned = async (privateKey: KeyObject = newPair().privateKey, life: Life = {}): Promise<Identity> => {
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=self-made,O=Shop',
    keys: await cryptoPair(privateKey),
    signingAlgorithm: SIGNING,
    notBefore: life.notBefore ?? new Date(Date.now() - 60_000),
    notAfter: life.notAfter ?? new Date(Date.now() + 3_600_000),
  })
  return identityWith(certificate.toString('pem'), privateKey)
}

export const identityWith = (certificate: string, privateKey: KeyObject): Identity => ({
  certificate,
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
})

export const privateKeyIn = (pem: string): KeyObject => createPrivateKey(pem)
