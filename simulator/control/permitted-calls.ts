import { CONTROL_ROLES, type ControlRole, type ControlTokenHolder } from '../organizations/control-token-registry.ts'

/**
 * Access of a caller of control or the portal: that of the operator, who may do everything, or of the holder of an
 * organization's token, or of who has signed in at a proxy with a role there.
 */
export type ControlAccess = 'operator' | (Omit<ControlTokenHolder, 'tokenId'> & { tokenId?: string })

// biome-ignore format: a table reads by its columns
/**
 * Least role for paths below an organization, of control and portal alike; the first row that matches counts. `operator` is for
 * the `--control-token` alone.
 */
const NEEDED_ROLES: readonly (readonly [method: RegExp, path: RegExp, role: ControlRole | 'operator'])[] = [
  // method    path                            least role
  [/./,        /^\/control-tokens(\/|$)/,      'admin'],    // a token makes no token above itself unless it is admin
  [/^DELETE$/, /^$/,                           'admin'],    // removes the organization
  [/^PUT$/,    /^\/snapshots\/[^/]+$/,         'operator'], // any state, of up to 64 MiB
  [/^GET$/,    /^\/snapshots\/[^/]+$/,         'act'],      // holds the secrets of webhooks
  [/^GET$/,    /^\/kit(\.zip)?$/,              'act'],      // holds private keys
  [/^GET$/,    /^\/webhooks\/[^/]+(\/listen)?$/, 'act'],    // the portal shows the secret; webhooks are taken away
  [/^POST$/,   /^\/lab$/,                      'read'],     // examines a signature; signs nothing for a reader
  [/^GET$/,    /./,                            'read'],
  [/^GET$/,    /^$/,                           'read'],
  [/./,        /./,                            'act'],
]

/** Calls of no organization that every holder of a token may make; lists show the holder's organization alone. */
const SHARED = [
  /^\/control\/?$/,
  /^\/control\/organizations$/,
  /^\/control\/(scenarios(\/[^/]+)?|drills)$/,
  /^\/portal(\/organizations|\/search)?$/,
]

/** Reads that need another token, or none. */
const SIGN_IN_METRICS_OR_DESCRIPTION = /^\/(portal\/sign-in|metrics|control\/openapi\.(yaml|json))$/

const ORGANIZATION = /^\/(?:control|portal)\/organizations\/([^/]+)(\/.*)?$/

/** The id of the organization below which a path of control or portal is; undefined for any other path. */
export const organizationOfPath = (path: string): string | undefined => ORGANIZATION.exec(path)?.[1]

/** Whether a call of control or portal only reads what the least role may see; what it may not is an act. */
export const isRead = (method: string, path: string): boolean => {
  const [, organizationId = '', below] = ORGANIZATION.exec(path) ?? []
  if (below === undefined)
    return (
      ['GET', 'HEAD', 'OPTIONS'].includes(method) &&
      [...SHARED, SIGN_IN_METRICS_OR_DESCRIPTION].some(shared => shared.test(path))
    )
  return isPermitted({ organizationId, role: 'read', name: '' }, method, path)
}

/**
 * Whether the holder of a token may make a call of control or portal: its organization, and at least the needed role.
 * `path` is as the router has it: an id is letters, digits and hyphens, so one that is still encoded is nobody's.
 */
export const isPermitted = (access: ControlAccess, method: string, path: string): boolean => {
  if (access === 'operator') return true
  const verb = method === 'HEAD' ? 'GET' : method
  const [, id, below = ''] = ORGANIZATION.exec(path) ?? []
  if (id === undefined) return verb === 'GET' && SHARED.some(shared => shared.test(path))
  if (id !== access.organizationId) return false
  const needed = neededRole(verb, below)
  return needed !== 'operator' && CONTROL_ROLES.indexOf(access.role) >= CONTROL_ROLES.indexOf(needed)
}

const neededRole = (verb: string, below: string): ControlRole | 'operator' =>
  NEEDED_ROLES.find(row => row[0].test(verb) && row[1].test(below))?.[2] ?? 'operator'

/**
 * Returns why the holder of a token may not make a call of control, with a cure that it can follow; the same for another
 * organization whether that exists or not.
 */
export const refusalFor = (access: Exclude<ControlAccess, 'operator'>, method: string, path: string): string => {
  const { role, organizationId: own } = access
  if (method === 'POST' && /^\/control\/organizations\/?$/.test(path))
    return `Only the operator creates organizations: use ${own}, by ASSAY_ORGANIZATION for the fixtures of Playwright, organization("${own}") in other tests, --organization of a command.`
  const [, id, below = ''] = ORGANIZATION.exec(path) ?? []
  if (id !== undefined && id !== own)
    return `This token is for ${own} alone: use that, or ask the operator for a token of the other organization.`
  const needed = id === undefined ? 'operator' : neededRole(method === 'HEAD' ? 'GET' : method, below)
  return needed === 'operator'
    ? `This token has the role ${role} in ${own}, and no token of an organization permits this: ask the operator to do it.`
    : `This token has the role ${role} in ${own}, and this takes the role ${needed}: ask the operator for such a token.`
}
