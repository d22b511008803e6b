import { join } from 'node:path'
import { type Credentials, type Identity, readKit } from '../contracts/client/credentials.ts'
import type { SigningKey } from '../contracts/protocol/sign.ts'

/** What the generator needs of a merchant's kit, with its P-256 key and whom the generator trusts. */
export type Kit = Identity & {
  organizationId: string
  clientId: string
  processingAccountId: string
  /** The authority of the kit, and whom the generator adds. */
  trusted: string[]
  signingKey: SigningKey
}

/** The kit of the first start of a data folder. */
export const firstKit = (dataDir: string): Kit => kitOf(readKit(join(dataDir, 'kit/demo-merchant')))

export const kitOf = (credentials: Credentials): Kit => {
  const { organizationId, clientId, processingAccountIds, ca = '', identity, signingKeys } = credentials
  const signingKey = signingKeys.find(({ algorithm }) => algorithm.name === 'ECDSA_SHA_256')
  if (!signingKey) throw new Error('The kit has no P-256 key.')
  const [processingAccountId = ''] = processingAccountIds
  return { organizationId, clientId, processingAccountId, ...identity, trusted: [ca], signingKey }
}
