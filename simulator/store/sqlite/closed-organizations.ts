import type { Store } from '../store.ts'

type Method = (...values: unknown[]) => Promise<unknown>

/** Store methods that read or replace the whole state of an organization, slice by slice. */
const WHOLE_STATE: Partial<Record<keyof Store, 'read' | 'replace'>> = {
  organizationState: 'read',
  resetOrganization: 'replace',
  removeOrganization: 'replace',
  clearRemovedOrganization: 'replace',
  replaceOrganizationState: 'replace',
}

type Parts = {
  /** Commits the units of work that were asked for before. */
  flush: () => void
  /** Whether the replacement of an organization's state has begun and not ended. */
  isUnfinished: (organizationId: string) => boolean
}

/**
 * Wraps a SQLite store so that an organization is closed while its whole state is read or replaced in slices: its calls
 * wait, and see the state before or after; those of others go on. After a replacement that failed half-way, as with a
 * full disk, its calls fail with the same error until one succeeds or the database is opened again.
 */
export const withClosedOrganizations = (store: Store, { flush, isUnfinished }: Parts): Store => {
  const closed = new Map<string, Promise<void>>()
  const failed = new Map<string, unknown>()

  const throwIfFailed = (organizationId: string): void => {
    if (failed.has(organizationId)) throw failed.get(organizationId)
  }

  const whileClosed = async (organizationId: string, isRead: boolean, act: () => Promise<unknown>) => {
    while (closed.has(organizationId)) await closed.get(organizationId)
    if (isRead) throwIfFailed(organizationId)
    const { promise, resolve } = Promise.withResolvers<void>()
    closed.set(organizationId, promise)
    try {
      flush()
      const result = await act()
      failed.delete(organizationId)
      return result
    } catch (error) {
      if (isUnfinished(organizationId)) failed.set(organizationId, error)
      throw error
    } finally {
      closed.delete(organizationId)
      resolve()
    }
  }

  const whenOpen = (method: Method): Method => {
    const wait = async (values: unknown[]) => {
      const [first] = values
      const id = typeof first === 'string' ? first : (first as { organizationId?: string } | undefined)?.organizationId
      const organizationId = id ?? ''
      while (closed.has(organizationId)) await closed.get(organizationId)
      throwIfFailed(organizationId)
      return method(...values)
    }
    return (...values) => (closed.size + failed.size === 0 ? method(...values) : wait(values))
  }

  const wrap = (name: string, method: Method): Method => {
    const use = WHOLE_STATE[name as keyof Store]
    if (use === undefined) return whenOpen(method)
    return (...values) => whileClosed(String(values[0]), use === 'read', () => method(...values))
  }
  const wrapped = Object.entries(store)
    .filter(([name, member]) => typeof member === 'function' && name !== 'close')
    .map(([name, member]) => [name, wrap(name, member as Method)] as const)
  return {
    ...store,
    ...Object.fromEntries(wrapped),
    /** The payment may be of any organization. */
    paymentByRedirect: async redirectId => {
      await Promise.all(closed.values())
      return store.paymentByRedirect(redirectId)
    },
  }
}
