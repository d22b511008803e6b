import type { Store } from '../store.ts'

/**
 * Wraps a PostgreSQL store so that units of work of an organization whose whole state this replica reads or replaces wait
 * here, without a connection: those of others need it.
 */
export const withHeldUnits = (store: Store): Store => {
  const closed = new Map<string, Promise<unknown>>()
  const opened = async (organizationId: string): Promise<void> => {
    while (closed.has(organizationId)) await closed.get(organizationId)
  }
  const whileClosed =
    <More extends unknown[], Result>(act: (organizationId: string, ...more: More) => Promise<Result>) =>
    async (organizationId: string, ...more: More): Promise<Result> => {
      await opened(organizationId)
      const acting = act(organizationId, ...more)
      const isOver = () => closed.delete(organizationId)
      closed.set(organizationId, acting.then(isOver, isOver))
      return acting
    }
  return {
    ...store,
    transact: async unit => {
      if (!unit.needs.isReadOnly) await opened(unit.organizationId)
      return store.transact(unit)
    },
    resetOrganization: whileClosed(store.resetOrganization),
    removeOrganization: whileClosed(store.removeOrganization),
    clearRemovedOrganization: whileClosed(store.clearRemovedOrganization),
    organizationState: whileClosed(store.organizationState),
    replaceOrganizationState: whileClosed(store.replaceOrganizationState),
  }
}
