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
 * Creates the reader of X-Forwarded-User and X-Forwarded-Groups, as an identity-aware proxy sends them. They are
 * believed from these addresses alone and undefined from any other. The group `assay` is the operator's;
 * `assay:ORGANIZATION:ROLE` gives a role in one organization, and of several the one that the path names.
 */
export const createProxySignIn = (ranges: readonly string[]): ((c: ControlRequest) => ProxyUser | undefined) => {
  const proxies = createAddressList(ranges)
  return ({ req, env }) => {
    const peer = (env as NodeBindings | undefined)?.incoming?.socket.remoteAddress
    if (ranges.length === 0 || peer === undefined || !proxies.includes(peer)) return undefined
    const name = req.header('x-forwarded-user')?.trim().slice(0, 80)
    if (!name) return undefined
    const groups = (req.header('x-forwarded-groups') ?? '').split(',').map(group => group.trim())
    return { name, access: accessOfGroups(name, groups, organizationOfPath(req.path ?? '')) }
  }
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
