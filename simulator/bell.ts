/** Rings for an organization whenever there is something new to be told; `next` is for all who wait at that time. */
export type Bell = { ring(organizationId: string): void; next(organizationId: string): Promise<void> }

export const createBell = (): Bell => {
  const waiting = new Map<string, { rung: Promise<void>; ring: () => void }>()
  return {
    ring: organizationId => {
      waiting.get(organizationId)?.ring()
      waiting.delete(organizationId)
    },
    next: organizationId => {
      const known = waiting.get(organizationId)
      if (known) return known.rung
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.set(organizationId, { rung: promise, ring: resolve })
      return promise
    },
  }
}
