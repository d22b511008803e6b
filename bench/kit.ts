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

/** A kit as control gives it, or as its file, where a PEM text is the path of one. */
export type GivenKit = {
  clientId: string
  processingAccountIds: string[]
  ca: string
  certificate: string
  privateKey: string
  signingKeys: { keyId: string; algorithm: string; privateKey: string }[]
}

/** The kit of the first start of a data folder. */
export function readKit(dataDir: string): Kit {
  const folder = join(dataDir, 'kit/demo-merchant')
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  return kitOf(JSON.parse(text('kit.json')), text)
}

export const kitOf = (given: GivenKit, text = (pem: string) => pem): Kit => {
  const { clientId, processingAccountIds, ca, certificate, privateKey, signingKeys } = given
  const key = signingKeys.find(isP256)
  if (!key) throw new Error('The kit has no P-256 key.')
  const signingKeyText = text(key.privateKey)
  const authority = text(ca)
  return {
    clientId,
    processingAccountId: processingAccountIds[0] ?? '',
    ca: authority,
    trusted: [authority],
    certificate: text(certificate),
    privateKey: text(privateKey),
    signingKey: {
      keyId: key.keyId,
      algorithm: algorithmNamed(key.algorithm),
      privateKey: createPrivateKey(signingKeyText),
    },
    signingKeyText,
  }
}

const isP256 = ({ algorithm }: { algorithm: string }) => algorithm === 'ECDSA_SHA_256'
