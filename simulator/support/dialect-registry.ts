import type { Dialect } from '../../contracts/dialect/dialect.ts'
import { operationAddress } from '../../contracts/operations.ts'

/** Registry of the dialects that the sandbox speaks: its usual one, and those of single organizations. */
export type DialectRegistry = ReturnType<typeof createDialectRegistry>

/** Creates the registry of dialects; an organization without one of its own speaks the usual one. */
export const createDialectRegistry = (usual: Dialect) => {
  const own = new Map<string, Dialect>()
  let openKeySets: ReadonlyMap<string, Dialect> | undefined
  const findOpenKeySets = () => {
    const dialects = new Set([...own.values(), usual])
    const isOfOperation = ({ method, path }: OpenKeySet): boolean =>
      [...dialects].some(({ addresses }) => (addresses.find(method, path)?.operation ?? 'keySet') !== 'keySet')
    const wanted = new Map([...dialects].flatMap(openKeySetsOf).map(one => [`${one.method} ${one.path}`, one]))
    return new Map(
      [...wanted].filter(([, one]) => !isOfOperation(one)).map(([address, { dialect }]) => [address, dialect]),
    )
  }
  return {
    usual,
    /** The dialect of an organization. */
    of: (organizationId: string): Dialect => own.get(organizationId) ?? usual,
    /**
     * The dialect in use that serves the key set here without the security layers (D-28); the usual one before others. None
     * does so where a dialect in use has another operation, whose merchants would lose it.
     */
    openKeySetAt: (method: string, path: string): Dialect | undefined => {
      openKeySets ??= findOpenKeySets()
      return openKeySets.get(`${method} ${path}`)
    },
    /** Sets the dialect of an organization; undefined restores the usual one. */
    use: (organizationId: string, dialect: Dialect | undefined): void => {
      if (dialect) own.set(organizationId, dialect)
      else own.delete(organizationId)
      openKeySets = undefined
    },
  }
}

type OpenKeySet = { method: string; path: string; dialect: Dialect }

const openKeySetsOf = (dialect: Dialect): OpenKeySet[] => {
  const { keySet, paths, basePath } = dialect.lines
  if (keySet?.protected === true) return []
  const { method, path } = operationAddress('keySet', paths)
  return ['', ...(basePath ? [basePath] : [])].map(before => ({ method, path: `${before}${path}`, dialect }))
}
