import type { Store } from '../port.ts'
import type { News } from '../replicas-port.ts'

type Told = Extract<News, { kind: 'clock' | 'emptied' | 'trust' }>['kind']

// biome-ignore format: a table reads by its columns
/** What changes something that replicas keep in memory, and what they are told. The first argument says whose it is. */
const CHANGES = {
  setClock:             ['clock'],
  setCapabilities:      ['trust'],
  addOrganization:      ['clock', 'trust'],
  resetOrganization:    ['clock', 'trust', 'emptied'],
  removeOrganization:   ['clock', 'trust', 'emptied'],
  replaceLife:          ['clock', 'trust'],
  addCertificate:       ['trust'],
  revokeCertificate:    ['trust'],
  addSigningKey:        ['trust'],
  deregisterSigningKey: ['trust'],
  setSigningKeyEnd:     ['trust'],
} as const satisfies Partial<Record<keyof Store, readonly Told[]>>

/** The store, of which the other replicas hear before a change of theirs is over. */
export const tellingAll = (store: Store, tell: (news: News) => Promise<void>): Store => {
  const wrapped = Object.entries(CHANGES).map(([name, kinds]) => {
    const act = store[name as keyof typeof CHANGES] as (...given: unknown[]) => Promise<unknown>
    return [
      name,
      async (...given: unknown[]) => {
        const result = await act(...given)
        const organizationId = whose(given[0])
        await Promise.all(kinds.map(kind => tell({ kind, organizationId })))
        return result
      },
    ]
  })
  return { ...store, ...Object.fromEntries(wrapped) }
}

const whose = (first: unknown): string =>
  typeof first === 'string' ? first : String((first as { organizationId?: unknown } | undefined)?.organizationId)
