import 'reflect-metadata'

import { createPublicKey } from 'node:crypto'
import { Pkcs10CertificateRequest } from '@peculiar/x509'
import { invalid, readPem, understood } from './pem.ts'
import { readCertifiedKey } from './public-key.ts'

/** The public key, PEM, that a PKCS #10 request proves to hold; whatever else it asks for is not looked at. */
export const readCertificateRequest = async (text: string): Promise<string> => {
  const bytes = readPem(text, 'csr', 'CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST')
  const { request, publicKey } = understood(UNREADABLE, () => {
    const request = new Pkcs10CertificateRequest(Uint8Array.from(bytes))
    const key = createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: 'der', type: 'spki' })
    return { request, publicKey: readCertifiedKey(key, 'csr') }
  })
  if (await request.verify().catch(() => false)) return publicKey
  throw invalid('csr does not verify with the key that it is for: make it anew with that key, with openssl req -new')
}

const UNREADABLE = 'csr cannot be read as a PKCS #10 request: make one with openssl req -new'
