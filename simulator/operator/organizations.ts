import { X509Certificate } from 'node:crypto'
import { type Clock, REAL_TIME } from '../clock.ts'
import type { Ids } from '../ids.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import type { Organization, Store } from '../store/port.ts'
import { recordOf } from './certificate-registry.ts'
import type { Installation } from './installation.ts'
import type { Credentials } from './kit.ts'
import { OperatorError } from './operator-error.ts'
import { createSigningKeyPairs, keyIdOf } from './signing-keys.ts'

export const DEMO_ORGANIZATION = 'demo-merchant'

const ORGANIZATION_ID = /^[a-z0-9][a-z0-9-]{0,62}$/

type Parts = {
  store: Store
  clock: Clock
  ids: Ids
  installation: Installation
  onChange: (organizationId: string) => void
}

const taken = (organizationId: string): OperatorError =>
  new OperatorError('conflict', `There is already an organization ${organizationId}: choose another id.`)

/** Organizations: each with two processing accounts, a client certificate and a signing key for each algorithm of 5.2. */
export const createOrganizations = ({ store, clock, ids, installation, onChange }: Parts) => {
  const newCredentials = async (organizationId: string) => {
    const authority = await installation.authority()
    const [client, pairs] = await Promise.all([authority.issueClient(organizationId), createSigningKeyPairs()])
    const keys = pairs.map(pair => ({ ...pair, keyId: keyIdOf(organizationId, pair.publicKey) }))
    const credentials: Credentials = {
      organizationId,
      clientId: organizationId,
      processingAccountIds: [`${organizationId}-account-1`, `${organizationId}-account-2`],
      ca: installation.authorityCertificate,
      certificate: client.certificate,
      privateKey: client.privateKey,
      signingKeys: keys.map(({ keyId, algorithm, privateKey }) => ({ keyId, algorithm: algorithm.name, privateKey })),
    }
    return { credentials, keys }
  }

  const create = async (organizationId = `merchant-${ids.uuid().slice(0, 8)}`): Promise<Credentials> => {
    if (!ORGANIZATION_ID.test(organizationId))
      throw new OperatorError(
        'invalid',
        'An organization id is 1 to 63 lowercase letters, digits and hyphens, with no hyphen in front.',
      )
    if (await store.organization(organizationId)) throw taken(organizationId)
    const { credentials, keys } = await newCredentials(organizationId)
    const registeredAt = clock.now(organizationId)
    const life = { registeredAt, expiresAt: registeredAt + LIFETIMES.signingKey }
    const added = store.addOrganization({
      organizationId,
      accountIds: credentials.processingAccountIds,
      clock: REAL_TIME,
      kit: JSON.stringify(credentials),
      certificates: [recordOf(organizationId, new X509Certificate(credentials.certificate), clock.real())],
      signingKeys: keys.map(({ keyId, algorithm, publicKey }) => {
        return { keyId, organizationId, algorithm: algorithm.name, publicKey, ...life }
      }),
    })
    await added.catch(async error => {
      throw (await store.organization(organizationId)) ? taken(organizationId) : error // somebody was quicker
    })
    return credentials
  }

  /** The organization, or an error that says that there is none. */
  const known = async (organizationId: string): Promise<Organization> => {
    const organization = await store.organization(organizationId)
    if (!organization)
      throw new OperatorError(
        'unknown',
        `There is no organization ${organizationId}: GET /control/organizations lists them.`,
      )
    return organization
  }

  const credentials = async (organizationId: string): Promise<Credentials> =>
    JSON.parse((await known(organizationId)).kit) as Credentials

  /** A new key with its certificate in the kit; those before it hold until they end or are revoked (5.1). */
  const renew = async (organizationId: string): Promise<Credentials> => {
    const before = await credentials(organizationId)
    const issued = await (await installation.authority()).issueClient(organizationId)
    const record = recordOf(organizationId, new X509Certificate(issued.certificate), clock.real())
    const renewed = { ...before, ...issued }
    await store.addCertificate(record)
    await store.setKit(organizationId, JSON.stringify(renewed))
    onChange(organizationId)
    return renewed
  }

  return { create, known, credentials, renew }
}
