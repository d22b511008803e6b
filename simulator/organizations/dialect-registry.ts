import type { Dialect } from '../../contracts/dialect/dialect.ts'

/** Dialects that the sandbox speaks: its usual one, and those of single organizations. */
export type DialectRegistry = ReturnType<typeof createDialectRegistry>

/** Creates the registry of dialects; an organization without one of its own speaks the usual one. */
export const createDialectRegistry = (usual: Dialect) => {
  const own = new Map<string, Dialect>()
  return {
    usual,
    /** The dialect of an organization. */
    of: (organizationId: string): Dialect => own.get(organizationId) ?? usual,
    /** Sets the dialect of an organization; undefined restores the usual one. */
    use: (organizationId: string, dialect: Dialect | undefined): void => {
      if (dialect) own.set(organizationId, dialect)
      else own.delete(organizationId)
    },
  }
}
