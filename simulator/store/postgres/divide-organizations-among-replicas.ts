import { hash } from 'node:crypto'
import type { ReplicaCoordinationStore } from '../replica-coordination-store.ts'

/**
 * Creates the functions that tell whether this replica leads an organization, as organizations are divided between
 * replicas by rendezvous hashing: the replica whose name and an organization's id have the largest hash leads it.
 */
export const createLeadership = (
  self: string,
  listReplicas: () => Promise<readonly string[]>,
): Pick<ReplicaCoordinationStore, 'leads' | 'lookAround'> => {
  let others: readonly string[] = []
  const known = new Map<string, boolean>()
  return {
    leads: organizationId => {
      const isLed =
        known.get(organizationId) ?? others.every(other => weight(other, organizationId) < weight(self, organizationId))
      known.set(organizationId, isLed)
      return isLed
    },
    lookAround: async () => {
      const found = (await listReplicas()).filter(name => name !== self).toSorted()
      if (found.join() === others.join()) return
      others = found
      known.clear()
    },
  }
}

const weight = (replica: string, organizationId: string): string => hash('sha1', `${replica} ${organizationId}`)
