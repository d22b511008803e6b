import { Refusal } from '../refusal.ts'
import { drawFor } from './draw.ts'
import { happens, refusingKind, type VarietyKind } from './kinds.ts'
import { addMembers, recase, reorder } from './vary-json.ts'

/** What is unusual about one call; the same seed, organization and number of the call make it the same. */
export type CallVariety = ReturnType<ReturnType<typeof createVariety>['forCall']>

export type Variety = ReturnType<typeof createVariety>

/** Keys of calls that were held back and may not be once more; the oldest are forgotten. */
const MOST_HELD = 10_000
const LONGEST_DELAY = 25

/** Answers that differ from call to call, and always keep to the contract (9): what clients must bear, they meet here. */
export const createVariety = (seed: string) => {
  const calls = new Map<string, number>()
  const held = new Set<string>()

  /** Holds a call back by chance, never twice in a row under its key. */
  const heldBack = (name: string, drawn: number): ReturnType<typeof refusingKind> => {
    if (held.delete(name)) return undefined
    const row = refusingKind(drawn)
    if (!row) return undefined
    const [oldest = ''] = held
    if (held.size >= MOST_HELD) held.delete(oldest)
    held.add(name)
    return row
  }

  const forCall = (organizationId: string) => {
    const count = (calls.get(organizationId) ?? 0) + 1
    calls.set(organizationId, count)
    const draw = drawFor(seed, organizationId, count)
    const varied = new Set<VarietyKind>()
    const takes = (kind: VarietyKind): boolean => {
      const is = happens(kind, draw(kind))
      if (is) varied.add(kind)
      return is
    }
    return {
      /** The kinds that this call has had so far. */
      varied: (): readonly VarietyKind[] => [...varied],
      /** 423 or 429 before anything is decided about a mutating call (7.1). */
      hold: (key: string | undefined): void => {
        const row = key === undefined ? undefined : heldBack(`${organizationId}\n${key}`, draw('hold'))
        if (!row) return
        varied.add(row.kind)
        throw refusalOf(row.told, row.meaning)
      },
      /** The JSON of an answer with members more, or in another order. */
      shape: (body: string): string => {
        if (body === '') return body
        const more = takes('extra-members')
        const order = takes('member-order')
        if (!more && !order) return body
        const whole = more ? addMembers(JSON.parse(body), draw) : JSON.parse(body)
        return JSON.stringify(order ? reorder(whole, draw) : whole)
      },
      headers: (headers: Record<string, string>): Record<string, string> =>
        takes('header-case')
          ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [recase(name, draw(name)), value]))
          : headers,
      /** Real milliseconds that the answer is late. */
      delay: (): number => (takes('delay') ? Math.ceil(draw('how late') * LONGEST_DELAY) : 0),
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
