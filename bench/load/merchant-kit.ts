import { join } from 'node:path'
import { type Credentials, type Identity, readKit } from '../../contracts/client/credentials.ts'
import type { SigningKey } from '../../contracts/protocol/sign-messages.ts'

/** The part of a merchant's kit that the load generator needs: identity, P-256 signing key, trusted authorities. */
export type LoadKit = Identity & {
  organizationId: string
  clientId: string
  processingAccountId: string
  /** CA certificates, PEM: that of the kit, and those of reference servers. */
  trusted: string[]
  signingKey: SigningKey
}

/** Reads the demo organization's kit from a data folder. */
export const readDemoKit = (dataDir: string): LoadKit => toLoadKit(readKit(join(dataDir, 'kit/demo-merchant')))

export const toLoadKit = (credentials: Credentials): LoadKit => {
  const { organizationId, clientId, processingAccountIds, ca = '', identity, signingKeys } = credentials
  const signingKey = signingKeys.find(({ algorithm }) => algorithm.name === 'ECDSA_SHA_256')
  if (!signingKey) throw new Error('The kit has no P-256 key.')
  const [processingAccountId = ''] = processingAccountIds
  return { organizationId, clientId, processingAccountId, ...identity, trusted: [ca], signingKey }
}
