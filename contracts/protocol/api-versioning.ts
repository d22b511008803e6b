import type { OperationName } from '../operations.ts'

/** One version of the contract (9); a minor version only adds members to the responses of its major. */
export type ServiceVersion = {
  version: string
  /** Whether calls without Service-Version may get it. */
  stable: boolean
  /** Dotted paths of the response members that this version added, by operation. */
  adds: Readonly<Partial<Record<OperationName, readonly string[]>>>
}

/** The versions that are served, oldest first (D-60, D-69). */
// biome-ignore format: a table reads by its columns
export const SERVICE_VERSIONS: readonly ServiceVersion[] = [
  { version: '1.0', stable: true, adds: {} },
]

const FORM = /^(0|[1-9]\d{0,3})\.(0|[1-9]\d{0,3})$/

/**
 * What naming a version that is not served means: a refusal, the newest minor that is not above it, or nothing at all.
 */
export type VersionLeniency = 'refused' | 'newest-below' | 'ignored'

/** Selects the version of a call: the named one, or the latest stable; `fault` says why a name is refused (9, D-68). */
export const chooseVersion = (
  versions: readonly ServiceVersion[],
  asked: string | undefined,
  leniency: VersionLeniency = 'refused',
): { version: ServiceVersion; fault?: string } => {
  const wanted = leniency === 'ignored' ? undefined : asked
  const latest = versions.findLast(({ stable }) => stable)
  if (!latest) throw new Error('No version is stable: mark one.')
  const named = wanted === undefined ? latest : versions.find(known => known.version === wanted)
  const version = named ?? (leniency === 'newest-below' ? newestBelow(versions, wanted ?? '') : undefined)
  if (version) return { version }
  const names = versions.map(known => known.version).join(', ')
  const fault = FORM.test(wanted ?? '') ? `is not served: there is ${names}` : `must be MAJOR.MINOR: there is ${names}`
  return { version: latest, fault }
}

/** Returns the newest version of the same major whose minor is not above the wanted one; undefined if there is none. */
const newestBelow = (versions: readonly ServiceVersion[], wanted: string): ServiceVersion | undefined =>
  FORM.test(wanted)
    ? versions.findLast(
        known => majorOf(known) === majorOf({ version: wanted }) && minorOf(known.version) <= minorOf(wanted),
      )
    : undefined

const minorOf = (version: string): number => Number(version.split('.')[1])

/** Removes from a JSON response the members that later minor versions added (9, D-69). */
export const toVersionedResponse = (
  versions: readonly ServiceVersion[],
  { version }: ServiceVersion,
  operation: OperationName,
  body: string,
): string => {
  const at = versions.findIndex(known => known.version === version)
  const later = versions.slice(at + 1).filter(known => majorOf(known) === majorOf({ version }))
  const paths = later.flatMap(({ adds }) => adds[operation] ?? [])
  if (paths.length === 0) return body
  const response = JSON.parse(body)
  for (const path of paths) deleteMember(response, path.split('.'))
  return JSON.stringify(response)
}

const majorOf = ({ version }: Pick<ServiceVersion, 'version'>): string | undefined => version.split('.')[0]

/** Deletes the member at a path, in every item where a list is on the path. */
const deleteMember = (value: unknown, [name = '', ...rest]: readonly string[]): void => {
  if (Array.isArray(value)) for (const item of value) deleteMember(item, [name, ...rest])
  else if (value !== null && typeof value === 'object') {
    const members = value as Record<string, unknown>
    if (rest.length > 0) deleteMember(members[name], rest)
    else delete members[name]
  }
}
