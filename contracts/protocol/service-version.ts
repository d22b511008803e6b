/** One version of the contract (9): a minor one only adds to the answers of its major, never takes away. */
export type ServiceVersion = {
  version: string
  /** Whether calls that name no version may get it. */
  stable: boolean
  /** Dotted paths of the answer members that came with it, by operation. */
  adds: Readonly<Record<string, readonly string[]>>
}

/** Every version that is served, oldest first (D-60, D-69). */
// biome-ignore format: a table reads by its columns
export const SERVICE_VERSIONS: readonly ServiceVersion[] = [
  { version: '1.0', stable: true, adds: {} },
]

const FORM = /^(0|[1-9]\d{0,3})\.(0|[1-9]\d{0,3})$/

/** The version that a call gets, or what is wrong with the one that it names; the latest stable one when absent (9, D-68). */
export const chooseVersion = (
  versions: readonly ServiceVersion[],
  wanted: string | undefined,
): { version: ServiceVersion; fault?: string } => {
  const latest = versions.findLast(({ stable }) => stable)
  if (!latest) throw new Error('No version is stable: mark one.')
  const version = wanted === undefined ? latest : versions.find(known => known.version === wanted)
  if (version) return { version }
  const names = versions.map(known => known.version).join(', ')
  const fault = FORM.test(wanted ?? '') ? `is not served: there is ${names}` : `must be MAJOR.MINOR: there is ${names}`
  return { version: latest, fault }
}

/** An answer of the newest minor as a call of this version gets it: what came later is taken out (9, D-69). */
export const answerAs = (
  versions: readonly ServiceVersion[],
  { version }: ServiceVersion,
  operation: string,
  body: string,
): string => {
  const at = versions.findIndex(known => known.version === version)
  const later = versions.slice(at + 1).filter(known => majorOf(known) === majorOf({ version }))
  const paths = later.flatMap(({ adds }) => adds[operation] ?? [])
  if (paths.length === 0) return body
  const answer = JSON.parse(body)
  for (const path of paths) takeOut(answer, path.split('.'))
  return JSON.stringify(answer)
}

const majorOf = ({ version }: Pick<ServiceVersion, 'version'>): string | undefined => version.split('.')[0]

/** Takes a member out of an object, and of every item where a list is on the way. */
const takeOut = (value: unknown, [name = '', ...rest]: readonly string[]): void => {
  if (Array.isArray(value)) for (const item of value) takeOut(item, [name, ...rest])
  else if (value !== null && typeof value === 'object') {
    const members = value as Record<string, unknown>
    if (rest.length > 0) takeOut(members[name], rest)
    else delete members[name]
  }
}
