import { isIP } from 'node:net'
import { ControlError } from '../support/control-error.ts'
import type { TlsIdentity } from './certificate-authority.ts'
import type { Installation } from './installation-keys-and-certificates.ts'
import { withoutBrackets } from './own-host-names.ts'

/** Certificates that are kept for names other than the configured ones. */
const MAX_NAMES = 100

type Parts = {
  installation: Pick<Installation, 'authority' | 'server'>
  isOwnName: (name: string) => boolean
  /** Whether replicas share this installation: a proxy in front of them has one configured name. */
  isShared: boolean
}

/** Server certificates of the API, for every name and address under which a kit may be handed out. */
export type ServerCertificates = ReturnType<typeof createServerCertificates>

/** Creates the server certificates of the API for the names under which kits are handed out. */
export const createServerCertificates = ({ installation: { authority, server }, isOwnName, isShared }: Parts) => {
  const issued = new Map<string, Promise<TlsIdentity>>()
  const issue = async (name: string): Promise<TlsIdentity> => (await authority()).issueServer([name])
  const remember = (name: string, identity: Promise<TlsIdentity>): void => {
    const [oldest = ''] = issued.keys()
    if (issued.size >= MAX_NAMES) issued.delete(oldest)
    issued.set(name, identity)
    identity.catch(() => issued.delete(name)) // the next handshake tries again
  }

  return {
    /** The certificate for a name that a client sends in its handshake (SNI); undefined where the usual one is right. */
    forName: async (sent: string): Promise<TlsIdentity | undefined> => {
      const name = sent.toLowerCase()
      if (server.covers(name) || !isOwnName(name)) return undefined
      const known = issued.get(name) ?? issue(name)
      if (!issued.has(name)) remember(name, known)
      return known
    },

    /**
     * Makes sure that the API has a certificate for the host of a URL. Returns the new usual certificate where it was
     * issued for an IP address, which no client names in its handshake. Throws where the host is none of this sandbox, or
     * the organization whose token asks for it has added too many.
     */
    cover: async (url: string, organizationId?: string): Promise<TlsIdentity | undefined> => {
      const host = new URL(url).hostname
      const name = withoutBrackets(host)
      if (server.covers(name)) return undefined
      if (!isOwnName(host) || (isIP(name) !== 0 && isShared))
        throw new ControlError(
          'invalid',
          `The certificate of the API does not cover ${name}: add it with --tls-names, in a container with ASSAY_TLS_NAMES.`,
        )
      return isIP(name) === 0 ? undefined : server.addAddress(name, organizationId)
    },
  }
}
