import type { ReplicaEvent } from '../replica-coordination-store.ts'
import type { Store } from '../store.ts'

type PublishedKind = Extract<ReplicaEvent, { kind: 'clock' | 'reset' | 'identity' }>['kind']

// biome-ignore format: a table reads by its columns
/** Events that store methods publish as they change what replicas cache; the first argument names the organization. */
const PUBLISHED_EVENTS = {
  setClock:             ['clock'],
  setCapabilities:      ['identity'],
  setDialect:           ['identity'],
  addOrganization:      ['clock', 'identity', 'reset'],
  resetOrganization:    ['clock', 'identity', 'reset'],
  removeOrganization:   ['clock', 'identity', 'reset'],
  clearRemovedOrganization: ['identity'],
  replaceOrganizationState: ['clock', 'identity'],
  addCertificate:       ['identity'],
  revokeCertificate:    ['identity'],
  addSigningKey:        ['identity'],
  deregisterSigningKey: ['identity'],
  setSigningKeyValidity: ['identity'],
  changeTokens:         ['identity'],
} as const satisfies Partial<Record<keyof Store, readonly PublishedKind[]>>

/**
 * Wraps a PostgreSQL store so that changes of what replicas cache are published to all of them before the call returns.
 */
export const withPublishedChanges = (store: Store, publish: (event: ReplicaEvent) => Promise<void>): Store => {
  const wrapped = Object.entries(PUBLISHED_EVENTS).map(([name, kinds]) => {
    const act = store[name as keyof typeof PUBLISHED_EVENTS] as (...values: unknown[]) => Promise<unknown>
    return [
      name,
      async (...values: unknown[]) => {
        const result = await act(...values)
        const organizationId = organizationOf(values[0])
        await Promise.all(kinds.map(kind => publish({ kind, organizationId })))
        return result
      },
    ]
  })
  return { ...store, ...Object.fromEntries(wrapped) }
}

const organizationOf = (first: unknown): string =>
  typeof first === 'string' ? first : String((first as { organizationId?: unknown } | undefined)?.organizationId)
