import { Refusal } from '../../support/refusal.ts'
import { createSeededCallRandom } from './seeded-call-random.ts'
import { isSelected, selectRefusingKind, type VariationKind } from './variation-kinds.ts'
import { addUnknownMembers, changeCase, reorderMembers } from './vary-json.ts'

/** Variation of one API call within the contract: the same for the same seed, organization and call. */
export type CallVariation = ReturnType<ReturnType<typeof createSeededVariation>['forCall']>

export type SeededVariation = ReturnType<typeof createSeededVariation>

/** Number of refused idempotency keys that are kept, so that the same key is not refused twice in a row. */
const MAX_HELD = 10_000
const MAX_DELAY_MILLISECONDS = 25

/**
 * Creates the conformant variation of API responses by a seed: they differ from call to call within the contract (9).
 */
export const createSeededVariation = (seed: string) => {
  const calls = new Map<string, number>()
  const held = new Set<string>()

  /** Selects a refusal of a call at random, never twice in a row under its key. */
  const selectRefusal = (name: string, drawn: number): ReturnType<typeof selectRefusingKind> => {
    if (held.delete(name)) return undefined
    const row = selectRefusingKind(drawn)
    if (!row) return undefined
    const [oldest = ''] = held
    if (held.size >= MAX_HELD) held.delete(oldest)
    held.add(name)
    return row
  }

  const forCall = (organizationId = '') => {
    const count = (calls.get(organizationId) ?? 0) + 1
    calls.set(organizationId, count)
    const draw = createSeededCallRandom(seed, organizationId, count)
    const varied = new Set<VariationKind>()
    const takes = (kind: VariationKind): boolean => {
      const is = isSelected(kind, draw(kind))
      if (is) varied.add(kind)
      return is
    }
    return {
      /** Kinds of variation that this call has had so far. */
      varied: (): readonly VariationKind[] => [...varied],
      /** May refuse a mutating call with 423 or 429 before it is decided (7.1). */
      hold: (key: string | undefined): void => {
        const row = key === undefined ? undefined : selectRefusal(`${organizationId}\n${key}`, draw('hold'))
        if (!row) return
        varied.add(row.kind)
        throw refusalOf(row.told, row.meaning)
      },
      /** Varies a JSON response body: unknown members, another member order. */
      shape: (body: string): string => {
        if (body === '') return body
        const more = takes('extra-members')
        const order = takes('member-order')
        if (!more && !order) return body
        const whole = more ? addUnknownMembers(JSON.parse(body), draw) : JSON.parse(body)
        return JSON.stringify(order ? reorderMembers(whole, draw) : whole)
      },
      headers: (headers: Record<string, string>): Record<string, string> =>
        takes('header-case')
          ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [changeCase(name, draw(name)), value]))
          : headers,
      /** Delay of the response, in milliseconds of real time. */
      delay: (): number => (takes('delay') ? Math.ceil(draw('how late') * MAX_DELAY_MILLISECONDS) : 0),
    }
  }

  return { seed, forCall }
}

const refusalOf = (told: 'PAYMENT_LOCKED' | 'RATE_LIMITED', meaning: string): Refusal =>
  told === 'RATE_LIMITED'
    ? new Refusal(told, 'rate', 'Too many calls at the moment: wait as long as Retry-After says.', {
        retryAfter: 1,
        diagnosis: { meaning },
      })
    : new Refusal(told, 'operation', 'Another call is at work: try again shortly, with the same key.', {
        diagnosis: { meaning },
      })
