import type { Dialect } from '../../contracts/dialect/dialect.ts'
import { operationAddress } from '../../contracts/operations.ts'

/** Registry of the dialects that the sandbox speaks: its usual one, and those of single organizations. */
export type DialectRegistry = ReturnType<typeof createDialectRegistry>

/** Creates the registry of dialects; an organization without one of its own speaks the usual one. */
export const createDialectRegistry = (usual: Dialect) => {
  const own = new Map<string, Dialect>()
  const findOpenKeySets = () => new Map([...own.values(), usual].flatMap(openKeySet))
  let openKeySets = findOpenKeySets()
  return {
    usual,
    /** The dialect of an organization. */
    of: (organizationId: string): Dialect => own.get(organizationId) ?? usual,
    /** The dialect in use that serves the key set here without the security layers (D-28); the usual one before others. */
    openKeySetAt: (method: string, path: string): Dialect | undefined => openKeySets.get(`${method} ${path}`),
    /** Sets the dialect of an organization; undefined restores the usual one. */
    use: (organizationId: string, dialect: Dialect | undefined): void => {
      if (dialect) own.set(organizationId, dialect)
      else own.delete(organizationId)
      openKeySets = findOpenKeySets()
    },
  }
}

const openKeySet = (dialect: Dialect): [address: string, dialect: Dialect][] => {
  const { keySet, paths, basePath } = dialect.lines
  if (keySet?.protected === true) return []
  const { method, path } = operationAddress('keySet', paths)
  return ['', ...(basePath ? [basePath] : [])].map(before => [`${method} ${before}${path}`, dialect])
}
