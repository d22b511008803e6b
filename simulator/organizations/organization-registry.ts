import { X509Certificate } from 'node:crypto'
import {
  refuseWithoutRoom,
  registerCertificate,
  toCertificateRecord,
} from '../installation/client-certificate-registry.ts'
import { createSigningKeyPairs, deriveKeyId } from '../installation/create-signing-key-pairs.ts'
import type { Installation } from '../installation/installation-keys-and-certificates.ts'
import { refuseIfFull } from '../installation/key-and-certificate-input-errors.ts'
import type { Credentials } from '../installation/merchant-kit.ts'
import type { Journal } from '../journal/journal.ts'
import type { Organization } from '../store/organization-store.ts'
import type { Store } from '../store/store.ts'
import { type Clock, REAL_TIME_SETTING } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import type { Ids } from '../support/ids.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import { createOneAtATime } from '../support/one-at-a-time.ts'
import { newTokenRecord, parseTokenRecord } from './access-token-revocation-record.ts'

/** Id of the organization that every sandbox has. */
export const DEMO_ORGANIZATION = 'demo-merchant'

/** An id whose accounts fit the 64 characters of a request's `processingAccountId`; earlier versions made longer ones. */
const ORGANIZATION_ID = /^[a-z0-9][a-z0-9-]{0,53}$/

type Parts = {
  store: Store
  clock: Clock
  ids: Ids
  installation: Installation
  journal: Pick<Journal, 'clear'>
  /** Number of organizations beyond which none is created; unlimited if undefined. */
  most?: number | undefined
  onChange: (organizationId: string) => void
}

const alreadyExists = (organizationId: string): ControlError =>
  new ControlError('conflict', `There is already an organization ${organizationId}: choose another id.`)

/** Creates the registry of organizations, each with two accounts, a client certificate and signing keys (5.2). */
export const createOrganizationRegistry = ({ store, clock, ids, installation, journal, most, onChange }: Parts) => {
  const newCredentials = async (organizationId: string) => {
    const authority = await installation.authority()
    const [client, pairs] = await Promise.all([authority.issueClient(organizationId), createSigningKeyPairs()])
    const keys = pairs.map(pair => ({ ...pair, keyId: deriveKeyId(organizationId, pair.publicKey) }))
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

  const oneAtATime = createOneAtATime()
  /** Creates one after the other, on all replicas, where there may be only so many: each counts those before it. */
  const inTurn = <Result>(act: () => Promise<Result>): Promise<Result> => {
    if (most === undefined) return act()
    return oneAtATime('create', () => (store.replicas ? store.replicas.withTurn('create-organization', act) : act()))
  }
  const ensureRoom = async (): Promise<void> => {
    if (most === undefined) return
    const { all } = await store.findOrganizations({ text: '', from: 0, limit: 0 })
    if (all < most) return
    throw new ControlError(
      'conflict',
      `There are ${all} organizations, and --max-organizations permits ${most}: remove one that is not used.`,
    )
  }

  const create = async (organizationId = `merchant-${ids.uuid().slice(0, 8)}`): Promise<Credentials> => {
    if (!ORGANIZATION_ID.test(organizationId))
      throw new ControlError(
        'invalid',
        'An organization id is 1 to 54 lowercase letters, digits and hyphens, with no hyphen in front.',
      )
    return inTurn(() => add(organizationId))
  }

  const add = async (organizationId: string): Promise<Credentials> => {
    if (await store.organization(organizationId)) throw alreadyExists(organizationId)
    await ensureRoom()
    const { credentials, keys } = await newCredentials(organizationId)
    const registeredAt = clock.now(organizationId)
    const validity = { registeredAt, expiresAt: registeredAt + LIFETIMES.signingKey }
    const added = store.addOrganization({
      organizationId,
      accountIds: credentials.processingAccountIds,
      clock: REAL_TIME_SETTING,
      kit: JSON.stringify(credentials),
      tokens: newTokenRecord(ids.uuid()),
      certificates: [toCertificateRecord(organizationId, new X509Certificate(credentials.certificate), clock.real())],
      signingKeys: keys.map(({ keyId, algorithm, publicKey }) => {
        return { keyId, organizationId, algorithm: algorithm.name, publicKey, ...validity }
      }),
    })
    await added.catch(async error => {
      throw (await store.organization(organizationId)) ? alreadyExists(organizationId) : error // created by a concurrent call
    })
    journal.clear(organizationId) // calls under way when one of this id was removed
    return credentials
  }

  /** The organization of an id; throws `unknown` where there is none. */
  const require = async (organizationId: string): Promise<Organization> => {
    const organization = await store.organization(organizationId)
    if (!organization)
      throw new ControlError(
        'unknown',
        `There is no organization ${organizationId}: GET /control/organizations lists them.`,
      )
    return organization
  }

  const credentials = async (organizationId: string): Promise<Credentials> =>
    JSON.parse((await require(organizationId)).kit) as Credentials

  /** The signing keys of a kit, with a new pair in place of each that has expired or was deregistered (5.2). */
  const usableSigningKeys = async ({
    organizationId,
    signingKeys,
  }: Credentials): Promise<Credentials['signingKeys']> => {
    const now = clock.now(organizationId)
    const registered = await store.signingKeys(organizationId)
    const isUsable = (keyId: string) =>
      registered.some(key => key.keyId === keyId && key.deregisteredAt === undefined && now < key.expiresAt)
    if (signingKeys.every(({ keyId }) => isUsable(keyId))) return signingKeys
    const pairs = await createSigningKeyPairs()
    const renewed: Credentials['signingKeys'][number][] = []
    // One after the other: where one is refused, none is registered behind its back.
    for (const { algorithm, publicKey, privateKey } of pairs) {
      const kept = signingKeys.find(key => key.algorithm === algorithm.name && isUsable(key.keyId))
      const key = { keyId: deriveKeyId(organizationId, publicKey), algorithm: algorithm.name }
      const validity = { registeredAt: now, expiresAt: now + LIFETIMES.signingKey }
      if (!kept)
        refuseIfFull(await store.addSigningKey({ ...key, organizationId, publicKey, ...validity }), 'signing keys')
      renewed.push(kept ?? { ...key, privateKey })
    }
    return renewed
  }

  const kitListeners: ((organizationId: string) => Promise<void>)[] = []

  /** Stores the credentials that the kit of an organization has from now on. */
  const saveKit = async (organizationId: string, kit: Credentials): Promise<void> => {
    await store.setKit(organizationId, JSON.stringify(kit))
    for (const listener of kitListeners) await listener(organizationId)
  }

  /**
   * Puts a new key and certificate into the kit, and a signing key in place of each that is no longer usable; earlier ones stay
   * valid until they end (5.1, 5.2).
   */
  const renew = async (organizationId: string): Promise<Credentials> => {
    const before = await credentials(organizationId)
    await refuseWithoutRoom(store, organizationId, clock.real())
    const signingKeys = await usableSigningKeys(before)
    const issued = await (await installation.authority()).issueClient(organizationId)
    const record = toCertificateRecord(organizationId, new X509Certificate(issued.certificate), clock.real())
    const renewed = { ...before, ...issued, signingKeys }
    await registerCertificate(store, record)
    await saveKit(organizationId, renewed)
    onChange(organizationId)
    return renewed
  }

  return {
    create,
    require,
    credentials,
    saveKit,
    /** Calls a function after each change of a kit, before the caller gets its response. */
    onKitChange: (listener: (organizationId: string) => Promise<void>) => void kitListeners.push(listener),
    renew,
    list: store.organizations,
    search: store.findOrganizations,
    find: store.organization,
    /** What an organization was created with, and none of the same id before or after it. */
    stateOf: async (organizationId: string): Promise<string> =>
      parseTokenRecord((await store.organization(organizationId))?.tokens).state,
  }
}
