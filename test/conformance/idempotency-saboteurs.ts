import type { Reply } from '../../simulator/store/port.ts'
import { at, headerOf, remembering, saying, textOf, turningAway } from './break.ts'
import { answering, type Sabotage, type Saboteur } from './sabotage.ts'

const isInitiate = at('/payments/initiate')

/** A call that asks again gets the first answer: `nameOf` tells what makes two calls the same. */
const answeringAgain = (nameOf: (call: Parameters<typeof textOf>[0]) => string | undefined) =>
  remembering(() => {
    const first = new Map<string, Reply>()
    return answering((reply, call) => {
      const name = nameOf(call)
      if (name === undefined || reply.http >= 300) return undefined
      const known = first.get(name)
      if (!known) first.set(name, reply)
      return known?.body === reply.body ? undefined : known
    })
  })

const keyed = (word: string) => (call: Parameters<typeof textOf>[0]) =>
  at(word)(call) ? headerOf(call, 'idempotency-key') || undefined : undefined

/** A retry with an earlier date than that of the first call is another call. */
const readingDates = (): Sabotage => {
  const first = new Map<string, number>()
  return turningAway(call => {
    const key = headerOf(call, 'idempotency-key')
    const created = Number(/created=(\d+)/.exec(headerOf(call, 'signature-input'))?.[1])
    if (!isInitiate(call) || key === '') return false
    if (!first.has(key)) first.set(key, created)
    return created < (first.get(key) ?? 0)
  }, 'KEY_REUSED')
}

/** After a conflict the key stays in conflict. */
const holdingGrudges = (): Sabotage => {
  const spoilt = new Set<string>()
  return answering((reply, call) => {
    const key = headerOf(call, 'idempotency-key')
    if (!isInitiate(call)) return undefined
    if (reply.http === 409) spoilt.add(key)
    return spoilt.has(key) && reply.http < 300 ? saying(409, '3002')(reply) : undefined
  })
}

const isUuid = (text: string): boolean => /^[0-9a-f-]{36}$/i.test(text)

// biome-ignore format: a table reads by its columns
export const IDEMPOTENCY_SABOTEURS: readonly Saboteur[] = [
  { does: 'reads the date of a signature as payload',   caughtBy: ['IDM-29'], sabotage: remembering(readingDates) },
  { does: 'never forgives a conflict',                  caughtBy: ['IDM-19'], sabotage: remembering(holdingGrudges) },
  { does: 'takes the same order for the same call',     caughtBy: ['IDM-21', 'IDM-23'], sabotage: answeringAgain(call => (isInitiate(call) && textOf(call).includes('"IRIS"') ? textOf(call) : undefined)) },
  { does: 'wants UUIDs for keys',                       caughtBy: ['IDM-33'], sabotage: turningAway(call => isInitiate(call) && !isUuid(headerOf(call, 'idempotency-key')) && headerOf(call, 'idempotency-key') !== '') },
  { does: 'remembers keys of status',                   caughtBy: ['IDM-26'], sabotage: answeringAgain(keyed('status')) },
  { does: 'remembers keys of events',                   caughtBy: ['IDM-27'], sabotage: answeringAgain(keyed('events')) },
]
