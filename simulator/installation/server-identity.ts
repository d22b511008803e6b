import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { DAY } from '../support/duration.ts'
import type { CertificateAuthority, TlsIdentity } from './certificate-authority.ts'
import { isPair } from './is-key-of-certificate.ts'

/** What was added to the server certificate: IP addresses, and the organization whose token added one. */
type Added = { addresses?: readonly string[]; addedBy?: Readonly<Record<string, string>> }

/** The usual server certificate as it is stored: what it names, the added IP addresses among that, and its age. */
type StoredServer = TlsIdentity & Added & { names: readonly string[]; issuedAt: number }

/** The usual server certificate of the API: it names what the configuration names, and IP addresses that were added. */
export type ServerIdentity = {
  current(): TlsIdentity
  /** Whether the certificate names a host name or an IP address. */
  covers(name: string): boolean
  /**
   * Issues the certificate anew with one more IP address, and stores it; throws `conflict` where it has too many, or
   * too many of the organization whose token asks for it.
   */
  addAddress(address: string, organizationId?: string): Promise<TlsIdentity>
}

/** Age at which the server certificate is renewed, with a third of its validity left. */
const RENEWAL = 265 * DAY
/** Addresses that are added at most: none gives way, as clients may rely on it. */
const MAX_ADDRESSES = 50
/** Those that the tokens of one organization add at most: the room is of all. */
const MAX_OF_ORGANIZATION = 4

type Parts = {
  clock: Pick<Clock, 'real'>
  root: TlsIdentity
  authority: () => Promise<CertificateAuthority>
  configured: readonly string[]
  read(): Promise<unknown>
  save(server: StoredServer): Promise<unknown>
}

/** Opens the stored server certificate, or issues a new one where that is old, damaged or for other names. */
export const openServerIdentity = async (parts: Parts): Promise<ServerIdentity> => {
  const { configured, read, clock } = parts
  const known = (await read()) as Partial<StoredServer> | undefined
  const addresses = Array.isArray(known?.addresses) ? known.addresses.filter(one => isIP(one) !== 0) : []
  const names = [...configured, ...addresses.filter(one => !configured.includes(one))]
  let server = isCurrent(known, names, clock.real(), parts.root)
    ? known
    : await issue(parts, { addresses, addedBy: known?.addedBy ?? {} })
  let certificate = new X509Certificate(server.certificate)
  let queue: Promise<unknown> = Promise.resolve()
  const covers = (name: string): boolean =>
    (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined
  const add = async (address: string, organizationId?: string): Promise<TlsIdentity> => {
    if (covers(address)) return server
    const { addresses = [], addedBy = {} } = server
    if (organizationId !== undefined) ensureShare(address, addedBy, organizationId)
    if (addresses.length >= MAX_ADDRESSES)
      throw new ControlError(
        'conflict',
        `The certificate of the API has ${MAX_ADDRESSES} addresses that were added, the most there may be: let the operator add ${address} with --tls-names.`,
      )
    const by = organizationId === undefined ? {} : { [address]: organizationId }
    server = await issue(parts, { addresses: [...addresses, address], addedBy: { ...addedBy, ...by } })
    certificate = new X509Certificate(server.certificate)
    return server
  }
  return {
    current: () => server,
    covers,
    addAddress: (address, organizationId) => {
      const added = queue.then(() => add(address, organizationId))
      queue = added.catch(() => undefined)
      return added
    },
  }
}

const ensureShare = (address: string, addedBy: Readonly<Record<string, string>>, organizationId: string): void => {
  if (Object.values(addedBy).filter(one => one === organizationId).length < MAX_OF_ORGANIZATION) return
  throw new ControlError(
    'conflict',
    `The certificate of the API has ${MAX_OF_ORGANIZATION} addresses that ${organizationId} added, the most of one organization: let the operator add ${address}, by such a call or with --tls-names.`,
  )
}

const issue = async (
  { authority, clock, configured, save }: Parts,
  { addresses = [], addedBy = {} }: Added,
): Promise<StoredServer> => {
  const names = [...configured, ...addresses.filter(one => !configured.includes(one))]
  const issued = await (await authority()).issueServer(names)
  const server = { ...issued, names, addresses, addedBy, issuedAt: clock.real() }
  await save(server)
  return server
}

const isCurrent = (
  server: Partial<StoredServer> | undefined,
  names: readonly string[],
  real: number,
  root: TlsIdentity,
): server is StoredServer => {
  try {
    const { issuedAt = 0, certificate = '', privateKey = '' } = server ?? {}
    return (
      server?.names?.join() === names.join() &&
      real - issuedAt < RENEWAL &&
      issuedAt - real < DAY && // certificates are valid from a day before
      isPair({ certificate, privateKey }) &&
      new X509Certificate(certificate).verify(new X509Certificate(root.certificate).publicKey)
    )
  } catch {
    return false
  }
}
