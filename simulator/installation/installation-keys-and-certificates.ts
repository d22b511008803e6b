import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import type { SigningKey } from '../../contracts/protocol/sign-messages.ts'
import { ALGORITHMS, type AlgorithmName, algorithmNamed } from '../../contracts/protocol/signature-algorithms.ts'
import type { Store } from '../store/store.ts'
import { type Clock, isoTime } from '../support/clock.ts'
import type { Ids } from '../support/ids.ts'
import { StartError } from '../support/start-error.ts'
import type { CertificateAuthority, TlsIdentity } from './certificate-authority.ts'
import { createSigningKeyPairs, deriveKeyId } from './create-signing-key-pairs.ts'
import { isPair } from './is-key-of-certificate.ts'
import { openServerIdentity, type ServerIdentity } from './server-identity.ts'

type ServiceKey = { keyId: string; algorithm: AlgorithmName; publicKey: string; privateKey: string }

/** Certificate authority, server certificate and signing keys of this installation, created once and then stored. */
export type Installation = {
  /** PEM of the authority's certificate. */
  authorityCertificate: string
  /** Opens the certificate authority; its library is loaded only when something is issued. */
  authority(): Promise<CertificateAuthority>
  server: ServerIdentity
  /** The service's own signing keys, one for each algorithm of 5.2, all published in the key set. */
  serviceKeys: readonly (SigningKey & { publicKey: string })[]
}

/** Where the installation is stored, for error messages: name, what to restore a copy of, the option that sets it. */
type Place = { name: string; whole: string; option: string }
type Parts = { store: Store; clock: Clock; ids: Ids; place: Place; serverNames: readonly string[] }

/**
 * Opens the installation, or creates it at the first start. Throws StartError where a used database has lost or damaged
 * its keys: clients would not trust new ones.
 */
export const openInstallation = async ({ store, clock, ids, place, serverNames }: Parts): Promise<Installation> => {
  const parts = { now: clock.real, ids }
  const lost = (what: string, how: string) =>
    new StartError(
      `${what} in ${place.name} ${how}: put back a copy of ${place.whole} or choose another ${place.option}.`,
    )
  const isUsed = (await store.findOrganizations({ text: '', from: 0, limit: 1 })).all > 0
  const loadOrCreate = async <Value>(
    name: string,
    what: string,
    create: () => Promise<Value>,
    isSound: Check<Value>,
  ) => {
    const value = await readSetting<Value>(store, name)
    if (value === undefined && isUsed) throw lost(what, 'is gone')
    if (value === undefined) return save(store, name, await create())
    if (value === UNREADABLE || !holds(isSound, value)) throw lost(what, 'is damaged')
    return value
  }
  const newAuthority = async () => (await import('./certificate-authority.ts')).createCertificateAuthority(parts)
  const root = await loadOrCreate('authority', 'The certificate authority', newAuthority, isPair)
  ensureValidNow(root, clock.real(), place)
  const authority = async () => (await import('./certificate-authority.ts')).openCertificateAuthority(root, parts)
  const server = await openServerIdentity({
    clock,
    root,
    authority,
    configured: serverNames,
    read: async () => readable(await readSetting(store, 'server')),
    save: value => save(store, 'server', value),
  })
  const keys = await loadOrCreate('service-keys', 'The key set of the service', createServiceKeys, areServiceKeys)
  const serviceKeys = keys.map(key => ({
    ...key,
    algorithm: algorithmNamed(key.algorithm),
    privateKey: createPrivateKey(key.privateKey),
  }))
  return { authorityCertificate: root.certificate, authority, server, serviceKeys }
}

/** Throws StartError where the machine's clock is outside the authority's validity: clients would refuse the server. */
const ensureValidNow = ({ certificate }: TlsIdentity, real: number, place: Place): void => {
  const { validFromDate, validToDate } = new X509Certificate(certificate)
  const [from, to] = [validFromDate.getTime(), validToDate.getTime()]
  if (real >= from && real < to) return
  throw new StartError(
    `This machine's clock shows ${isoTime(real)} and the certificate authority in ${place.name} is valid from ` +
      `${isoTime(from)} to ${isoTime(to)}: set the clock right or choose another ${place.option}.`,
  )
}

/** Whether a stored value can be used; one that makes the check throw cannot. */
type Check<Value> = (value: Value) => boolean
const holds = <Value>(isSound: Check<Value>, value: Value): boolean => {
  try {
    return isSound(value)
  } catch {
    return false
  }
}

const areServiceKeys: Check<readonly ServiceKey[]> = keys =>
  ALGORITHMS.every(({ name }) => {
    const key = keys.find(({ algorithm }) => algorithm === name)
    return key && createPublicKey(createPrivateKey(key.privateKey)).equals(createPublicKey(key.publicKey))
  })

const UNREADABLE = Symbol('no JSON')
const readable = (value: unknown): unknown => (value === UNREADABLE ? undefined : value)

const readSetting = async <Value>(store: Store, name: string): Promise<Value | undefined | typeof UNREADABLE> => {
  const text = await store.setting(name)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Value)
  } catch {
    return UNREADABLE
  }
}

const save = async <Value>(store: Store, name: string, value: Value): Promise<Value> => {
  await store.saveSetting(name, JSON.stringify(value))
  return value
}

const createServiceKeys = async (): Promise<ServiceKey[]> =>
  (await createSigningKeyPairs()).map(({ algorithm, publicKey, privateKey }) => ({
    keyId: deriveKeyId('service', publicKey),
    algorithm: algorithm.name,
    publicKey,
    privateKey,
  }))

/** Returns the service's signing key for an algorithm. */
export const serviceKeyFor = ({ serviceKeys }: Installation, name: AlgorithmName): SigningKey => {
  const key = serviceKeys.find(({ algorithm }) => algorithm.name === name)
  if (!key)
    throw new Error(`The installation has no key for ${name}; it has ${ALGORITHMS.map(row => row.name).join(', ')}.`)
  return key
}
