import 'reflect-metadata'

import { createPublicKey } from 'node:crypto'
import { Pkcs10CertificateRequest } from '@peculiar/x509'
import { invalidInput, parseOrRefuse } from './key-and-certificate-input-errors.ts'
import { readPem } from './read-pem.ts'
import { toCertifiedKeyPem } from './read-public-key.ts'

/** Verifies a PKCS #10 request (PEM) and returns its public key as PEM; everything else in it is ignored. */
export const readCertificateRequest = async (text: string): Promise<string> => {
  const bytes = readPem(text, 'csr', 'CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST')
  const { request, publicKey } = parseOrRefuse(UNREADABLE, () => {
    const request = new Pkcs10CertificateRequest(Uint8Array.from(bytes))
    const key = createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: 'der', type: 'spki' })
    return { request, publicKey: toCertifiedKeyPem(key, 'csr') }
  })
  if (await request.verify().catch(() => false)) return publicKey
  throw invalidInput(
    'csr does not verify with the key that it is for: make it anew with that key, with openssl req -new',
  )
}

const UNREADABLE = 'csr cannot be read as a PKCS #10 request: make one with openssl req -new'
