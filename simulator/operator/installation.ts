import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { ALGORITHMS, type AlgorithmName, algorithmNamed } from '../../contracts/protocol/algorithms.ts'
import type { SigningKey } from '../../contracts/protocol/sign.ts'
import { type Clock, isoTime } from '../clock.ts'
import { DAY } from '../duration.ts'
import type { Ids } from '../ids.ts'
import { StartError } from '../start-error.ts'
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

/** Where it is kept: its name, what to put back a copy of, and the option that names another. */
type Place = { name: string; whole: string; option: string }
type Parts = { store: Store; clock: Clock; ids: Ids; place: Place; serverNames: readonly string[] }

/** A server certificate is made anew when a third of its life is left. */
const SERVER_RENEWAL = 265 * DAY

/** Throws StartError where what was kept is damaged or gone: made anew it would be trusted by nobody. */
export const openInstallation = async ({ store, clock, ids, place, serverNames }: Parts): Promise<Installation> => {
  const parts = { now: clock.real, ids }
  const lost = (what: string, how: string) =>
    new StartError(
      `${what} in ${place.name} ${how}: put back a copy of ${place.whole} or choose another ${place.option}.`,
    )
  const isUsed = (await store.findOrganizations({ text: '', from: 0, limit: 1 })).all > 0
  const forEver = async <Value>(name: string, what: string, make: () => Promise<Value>, isSound: Sound<Value>) => {
    const value = await readKept<Value>(store, name)
    if (value === undefined && isUsed) throw lost(what, 'is gone')
    if (value === undefined) return keep(store, name, await make())
    if (value === UNREADABLE || !soundly(isSound, value)) throw lost(what, 'is damaged')
    return value
  }
  const newAuthority = async () => (await import('./authority.ts')).createAuthority(parts)
  const root = await forEver('authority', 'The certificate authority', newAuthority, isPair)
  ensureValidNow(root, clock.real(), place)
  const authority = async () => (await import('./authority.ts')).openAuthority(root, parts)
  const server = await openServer({ store, clock, serverNames }, root, authority)
  const keys = await forEver('service-keys', 'The key set of the service', createServiceKeys, areServiceKeys)
  const serviceKeys = keys.map(key => ({
    ...key,
    algorithm: algorithmNamed(key.algorithm),
    privateKey: createPrivateKey(key.privateKey),
  }))
  return { authorityCertificate: root.certificate, authority, server, serviceKeys }
}

/** The server's certificate is made anew when it grows old, has other names, or is not sound: who trusts the authority trusts it. */
const openServer = async (
  { store, clock, serverNames }: Pick<Parts, 'store' | 'clock' | 'serverNames'>,
  root: Identity,
  authority: Installation['authority'],
): Promise<Identity> => {
  const real = clock.real()
  const isCurrent: Sound<ServerIdentity> = server =>
    server.names.join() === serverNames.join() &&
    real - server.issuedAt < SERVER_RENEWAL &&
    server.issuedAt - real < DAY && // certificates are valid from a day before
    isPair(server) &&
    new X509Certificate(server.certificate).verify(new X509Certificate(root.certificate).publicKey)
  const known = await readKept<ServerIdentity>(store, 'server')
  if (known !== undefined && known !== UNREADABLE && soundly(isCurrent, known)) return known
  const issued = await (await authority()).issueServer(serverNames)
  return keep(store, 'server', { ...issued, names: serverNames, issuedAt: real })
}

/** A clock that is far off makes every client refuse the server: better said at once. */
const ensureValidNow = ({ certificate }: Identity, real: number, place: Place): void => {
  const { validFromDate, validToDate } = new X509Certificate(certificate)
  const [from, to] = [validFromDate.getTime(), validToDate.getTime()]
  if (real >= from && real < to) return
  throw new StartError(
    `This machine's clock shows ${isoTime(real)} and the certificate authority in ${place.name} is valid from ` +
      `${isoTime(from)} to ${isoTime(to)}: set the clock right or choose another ${place.option}.`,
  )
}

/** Whether what was kept can be used; what makes it throw is no. */
type Sound<Value> = (value: Value) => boolean
const soundly = <Value>(isSound: Sound<Value>, value: Value): boolean => {
  try {
    return isSound(value)
  } catch {
    return false
  }
}

const isPair: Sound<Identity> = ({ certificate, privateKey }) =>
  new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))

const areServiceKeys: Sound<readonly ServiceKey[]> = keys =>
  ALGORITHMS.every(({ name }) => {
    const key = keys.find(({ algorithm }) => algorithm === name)
    return key && createPublicKey(createPrivateKey(key.privateKey)).equals(createPublicKey(key.publicKey))
  })

const UNREADABLE = Symbol('no JSON')

const readKept = async <Value>(store: Store, name: string): Promise<Value | undefined | typeof UNREADABLE> => {
  const text = await store.setting(name)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Value)
  } catch {
    return UNREADABLE
  }
}

const keep = async <Value>(store: Store, name: string, value: Value): Promise<Value> => {
  await store.saveSetting(name, JSON.stringify(value))
  return value
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
