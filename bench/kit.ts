import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { algorithmNamed } from '../contracts/protocol/algorithms.ts'
import type { SigningKey } from '../contracts/protocol/sign.ts'

/** What the generator needs of the kit of the first start, with the PEM texts read and the P-256 key chosen. */
export type Kit = {
  clientId: string
  processingAccountId: string
  ca: string
  /** The authorities that the generator trusts: that of the kit, and whom it adds. */
  trusted: string[]
  certificate: string
  privateKey: string
  signingKey: SigningKey
  signingKeyText: string
}

export function readKit(dataDir: string): Kit {
  const folder = join(dataDir, 'kit/demo-merchant')
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  const { clientId, processingAccountIds, ca, certificate, privateKey, signingKeys } = JSON.parse(text('kit.json'))
  const { keyId, algorithm, privateKey: path } = signingKeys.find(isP256)
  const signingKeyText = text(path)
  const authority = text(ca)
  return {
    clientId,
    processingAccountId: processingAccountIds[0],
    ca: authority,
    trusted: [authority],
    certificate: text(certificate),
    privateKey: text(privateKey),
    signingKey: { keyId, algorithm: algorithmNamed(algorithm), privateKey: createPrivateKey(signingKeyText) },
    signingKeyText,
  }
}

const isP256 = ({ algorithm }: { algorithm: string }) => algorithm === 'ECDSA_SHA_256'
