import { isUtf8 } from 'node:buffer'
import { CONTROL_ROLES } from '../organizations/control-token-registry.ts'
import { createAddressList } from '../support/ip-address-list.ts'
import { type ControlAccess, organizationOfPath } from './permitted-calls.ts'

/** A request to pages or control: its headers and, where they are known, its path and the peer of its connection. */
export type ControlRequest = {
  req: { header(name: string): string | undefined; path?: string }
  /** The bindings of Node, of which the connection's peer is read. */
  env?: unknown
}

/** Who has signed in at a trusted proxy, and what that person's groups permit; `none` where they permit nothing here. */
export type ProxyUser = { name: string; access: ControlAccess | 'none' }

type NodeBindings = { incoming?: { socket: { remoteAddress?: string | undefined } } }

const OPERATOR_GROUP = 'assay'

/**
 * Creates the readers of what an identity-aware proxy sends, which is believed from these addresses alone. `userOf` reads
 * X-Forwarded-User and X-Forwarded-Groups: the group `assay` is the operator's; `assay:ORGANIZATION:ROLE` gives a role in
 * one organization, and of several the one that the path names. `addressOf` is where a request comes from: the last
 * address of X-Forwarded-For, else the connection's peer.
 */
export const createProxySignIn = (ranges: readonly string[]) => {
  const proxies = createAddressList(ranges)
  const peerOf = ({ env }: ControlRequest) => (env as NodeBindings | undefined)?.incoming?.socket.remoteAddress
  const isBelieved = (c: ControlRequest): boolean => {
    const peer = peerOf(c)
    return ranges.length > 0 && peer !== undefined && proxies.includes(peer)
  }
  const addressOf = (c: ControlRequest): string | undefined => {
    const forwarded = isBelieved(c)
      ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim().slice(0, 80)
      : undefined
    return forwarded || peerOf(c)
  }
  const userOf = (c: ControlRequest): ProxyUser | undefined => {
    if (!isBelieved(c)) return undefined
    const { req } = c
    const name = asUtf8(req.header('x-forwarded-user') ?? '')
      .trim()
      .slice(0, 80)
    if (!name) return undefined
    const groups = (req.header('x-forwarded-groups') ?? '').split(',').map(group => group.trim())
    return { name, access: accessOfGroups(name, groups, organizationOfPath(req.path ?? '')) }
  }
  return { userOf, addressOf }
}

/** Reads the bytes of a header as UTF-8, where they are that: Node reads each as a character of Latin-1. */
const asUtf8 = (header: string): string => {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}

const accessOfGroups = (
  name: string,
  groups: readonly string[],
  wanted: string | undefined,
): ControlAccess | 'none' => {
  if (groups.includes(OPERATOR_GROUP)) return 'operator'
  const roles = groups.flatMap(group => {
    const [prefix, organizationId = '', text, ...rest] = group.split(':')
    const role = CONTROL_ROLES.find(one => one === text)
    return prefix === OPERATOR_GROUP && role && rest.length === 0 ? [{ organizationId, role, name }] : []
  })
  const strongest = roles.toSorted((one, other) => CONTROL_ROLES.indexOf(other.role) - CONTROL_ROLES.indexOf(one.role))
  return strongest.find(({ organizationId }) => organizationId === wanted) ?? roles[0] ?? 'none'
}
