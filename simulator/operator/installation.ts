import { createPrivateKey } from 'node:crypto'
import { ALGORITHMS, type AlgorithmName, algorithmNamed } from '../../contracts/protocol/algorithms.ts'
import type { SigningKey } from '../../contracts/protocol/sign.ts'
import type { Clock } from '../clock.ts'
import { DAY } from '../duration.ts'
import type { Ids } from '../ids.ts'
import type { Store } from '../store/port.ts'
import type { Authority, Identity } from './authority.ts'
import { createSigningKeyPairs, keyIdOf } from './signing-keys.ts'

type ServiceKey = { keyId: string; algorithm: AlgorithmName; publicKey: string; privateKey: string }
type ServerIdentity = Identity & { names: readonly string[]; issuedAt: number }

/** What this installation is made of: made at the first start, kept in the store, the same ever after. */
export type Installation = {
  /** PEM of the authority's certificate. */
  authorityCertificate: string
  /** Opens the authority: its library is loaded only where something is to be issued. */
  authority(): Promise<Authority>
  server: Identity
  /** The service's own keys, one for each algorithm of 5.2; every one is in the key set. */
  serviceKeys: readonly (SigningKey & { publicKey: string })[]
}

type Parts = { store: Store; clock: Clock; ids: Ids; serverNames: readonly string[] }

/** A server certificate is made anew when a third of its life is left. */
const SERVER_RENEWAL = 265 * DAY

export const openInstallation = async ({ store, clock, ids, serverNames }: Parts): Promise<Installation> => {
  const parts = { now: clock.real, ids }
  const root = await kept<Identity>(store, 'authority', async () =>
    (await import('./authority.ts')).createAuthority(parts),
  )
  const authority = async () => (await import('./authority.ts')).openAuthority(root, parts)
  const issueServer = async (): Promise<ServerIdentity> => ({
    ...(await (await authority()).issueServer(serverNames)),
    names: serverNames,
    issuedAt: clock.real(),
  })
  const current = (server: ServerIdentity) =>
    server.names.join() === serverNames.join() && clock.real() - server.issuedAt < SERVER_RENEWAL
  const server = await kept(store, 'server', issueServer, current)
  const serviceKeys = await kept(store, 'service-keys', createServiceKeys)
  return {
    authorityCertificate: root.certificate,
    authority,
    server,
    serviceKeys: serviceKeys.map(key => ({
      ...key,
      algorithm: algorithmNamed(key.algorithm),
      privateKey: createPrivateKey(key.privateKey),
    })),
  }
}

const kept = async <Value>(
  store: Store,
  name: string,
  make: () => Promise<Value>,
  good: (value: Value) => boolean = () => true,
) => {
  const text = await store.setting(name)
  const value = text === undefined ? undefined : (JSON.parse(text) as Value)
  if (value !== undefined && good(value)) return value
  const made = await make()
  await store.saveSetting(name, JSON.stringify(made))
  return made
}

const createServiceKeys = async (): Promise<ServiceKey[]> =>
  (await createSigningKeyPairs()).map(({ algorithm, publicKey, privateKey }) => ({
    keyId: keyIdOf('service', publicKey),
    algorithm: algorithm.name,
    publicKey,
    privateKey,
  }))

/** The service's key for the configured algorithm. */
export const serviceKey = ({ serviceKeys }: Installation, name: AlgorithmName): SigningKey => {
  const key = serviceKeys.find(({ algorithm }) => algorithm.name === name)
  if (!key)
    throw new Error(`The installation has no key for ${name}; it has ${ALGORITHMS.map(row => row.name).join(', ')}.`)
  return key
}
