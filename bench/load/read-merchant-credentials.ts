import { join } from 'node:path'
import { type Credentials, type Identity, readKit } from '../../contracts/client/credentials.ts'
import type { SigningKey } from '../../contracts/protocol/sign-messages.ts'

/** A merchant's credentials for the load generator: client certificate, P-256 signing key, trusted authorities. */
export type MerchantCredentials = Identity & {
  organizationId: string
  clientId: string
  processingAccountId: string
  /** CA certificates, PEM: that of the kit, and those of reference servers. */
  trusted: string[]
  signingKey: SigningKey
}

/** Reads the demo organization's credentials from the kit in a data folder. */
export const readDemoCredentials = (dataDir: string): MerchantCredentials =>
  toMerchantCredentials(readKit(join(dataDir, 'kit/demo-merchant')))

export const toMerchantCredentials = (credentials: Credentials): MerchantCredentials => {
  const { organizationId, clientId, processingAccountIds, ca = '', identity, signingKeys } = credentials
  const signingKey = signingKeys.find(({ algorithm }) => algorithm.name === 'ECDSA_SHA_256')
  if (!signingKey) throw new Error('The kit has no P-256 key.')
  const [processingAccountId = ''] = processingAccountIds
  return { organizationId, clientId, processingAccountId, ...identity, trusted: [ca], signingKey }
}
