import { randomUUID } from 'node:crypto'
import type { Reply } from '../../../simulator/store/unit-of-work.ts'
import { ignoreMember } from './grid-mutations-besides-layers.ts'
import type { Mutant, Mutation } from './mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  refuseCalls,
  requestHeader,
  withFreshState,
  withStatusAndCode,
} from './mutations-of-matching-calls.ts'
import { mutateReply, mutateRequest } from './simulator-mutations.ts'

const isInitiate = isCallTo('/payments/initiate')

/** Mutation: calls with the same name get the first response again; `nameOf` gives a call's name. */
const answeringAgain = (nameOf: (call: Parameters<typeof bodyTextOf>[0]) => string | undefined) =>
  withFreshState(() => {
    const first = new Map<string, Reply>()
    return mutateReply((reply, call) => {
      const name = nameOf(call)
      if (name === undefined || reply.http >= 300) return undefined
      const known = first.get(name)
      if (!known) first.set(name, reply)
      return known?.body === reply.body ? undefined : known
    })
  })

const keyed = (word: string) => (call: Parameters<typeof bodyTextOf>[0]) =>
  isCallTo(word)(call) ? requestHeader(call, 'idempotency-key') || undefined : undefined

/** Mutation: a retry whose signature is created before that of the first call is refused as another request. */
const readingDates = (): Mutation => {
  const first = new Map<string, number>()
  return refuseCalls(call => {
    const key = requestHeader(call, 'idempotency-key')
    const created = Number(/created=(\d+)/.exec(requestHeader(call, 'signature-input'))?.[1])
    if (!isInitiate(call) || key === '') return false
    if (!first.has(key)) first.set(key, created)
    return created < (first.get(key) ?? 0)
  }, 'KEY_REUSED')
}

/** Mutation: after a 409 every further call under the key is a 409. */
const holdingGrudges = (): Mutation => {
  const spoilt = new Set<string>()
  return mutateReply((reply, call) => {
    const key = requestHeader(call, 'idempotency-key')
    if (!isInitiate(call)) return undefined
    if (reply.http === 409) spoilt.add(key)
    return spoilt.has(key) && reply.http < 300 ? withStatusAndCode(409, '3002')(reply) : undefined
  })
}

/** Mutation: a decline with 8004 is the response to every further call under its key. */
const keepingDeclines = (): Mutation => {
  const declines = new Map<string, Reply>()
  return mutateReply((reply, call) => {
    const key = requestHeader(call, 'idempotency-key')
    const known = declines.get(key)
    if (isInitiate(call) && reply.http === 200 && reply.body.includes('"8004"')) declines.set(key, reply)
    return known
  })
}

/** Mutation: a key of any operation but initiate is new under another access token. */
const bindingToTokens = (): Mutation => {
  const first = new Map<string, string>()
  const others = new Map<string, string>()
  return mutateRequest(({ url, headers }) => {
    const [key, token] = [String(headers['idempotency-key'] ?? ''), String(headers.authorization)]
    if (url === '/payments/initiate' || key === '') return false
    if (!first.has(key)) first.set(key, token)
    if (first.get(key) === token) return false
    const other = others.get(`${key} ${token}`) ?? randomUUID()
    others.set(`${key} ${token}`, other)
    headers['idempotency-key'] = other
    return true
  })
}

/** Mutation: a call under a key that another call had with another Service-Version is refused as another request. */
const bindingToVersions = (): Mutation => {
  const first = new Map<string, string>()
  return refuseCalls(call => {
    const [key, version] = [requestHeader(call, 'idempotency-key'), requestHeader(call, 'service-version')]
    if (!isInitiate(call) || key === '') return false
    if (!first.has(key)) first.set(key, version)
    return first.get(key) !== version
  }, 'KEY_REUSED')
}

/** Mutation: keys of initiate are stored otherwise than they were sent. */
const storingKeys = (change: (key: string) => string) =>
  mutateRequest(({ url, headers }) => {
    const key = String(headers['idempotency-key'] ?? '')
    if (url !== '/payments/initiate' || change(key) === key) return false
    headers['idempotency-key'] = change(key)
    return true
  })

const isRead = isCallTo('status', 'events', 'search', 'providers')

/** Mutation: calls of one kind are refused under a key that a call of the other kind had. */
const refusingKeysOf = (isFirst: typeof isRead, isSecond: typeof isRead) => (): Mutation => {
  const used = new Set<string>()
  return refuseCalls(call => {
    const key = requestHeader(call, 'idempotency-key')
    if (key !== '' && isFirst(call)) used.add(key)
    return isSecond(call) && used.has(key)
  }, 'KEY_REUSED')
}

const isUuid = (text: string): boolean => /^[0-9a-f-]{36}$/i.test(text)

// biome-ignore format: a table reads by its columns
export const IDEMPOTENCY_MUTANTS: readonly Mutant[] = [
  { does: 'treats the signature date as payload',       caughtBy: ['IDM-29'], mutation: withFreshState(readingDates) },
  { does: 'keeps a key in conflict after a 409',        caughtBy: ['IDM-19', 'IDM-49'], mutation: withFreshState(holdingGrudges) },
  { does: 'treats equal bodies as the same call',       caughtBy: ['IDM-21', 'IDM-23', 'IDM-42'], mutation: answeringAgain(call => (isInitiate(call) && bodyTextOf(call).includes('"IRIS"') ? bodyTextOf(call) : undefined)) },
  { does: 'accepts only UUIDs as keys',                 caughtBy: ['IDM-33'], mutation: refuseCalls(call => isInitiate(call) && !isUuid(requestHeader(call, 'idempotency-key')) && requestHeader(call, 'idempotency-key') !== '') },
  { does: 'binds keys of all but initiate to tokens',   caughtBy: ['IDM-10', 'IDM-11', 'IDM-12', 'IDM-13', 'IDM-14'], mutation: withFreshState(bindingToTokens) },
  { does: 'takes initiate for the same whatever its payer',     caughtBy: ['IDM-45'], mutation: ignoreMember('initiate', 'payerDetails') },
  { does: 'takes initiate for the same whatever its returnUrl', caughtBy: ['IDM-45'], mutation: ignoreMember('initiate', 'returnUrl') },
  { does: 'replays a temporary decline',            caughtBy: ['IDM-42'], mutation: withFreshState(keepingDeclines) },
  { does: 'says 202 to a replay of initiate',            caughtBy: ['IDM-09', 'IDM-19', 'IDM-29', 'IDM-49'], mutation: mutateReply((reply, call) => (isInitiate(call) && call.replayed && reply.http === 200 ? { ...reply, http: 202 } : undefined)) },
  { does: 'takes the version for a part of the payload', caughtBy: ['IDM-49'], mutation: withFreshState(bindingToVersions) },
  { does: 'stores the first 36 characters of a key',    caughtBy: ['IDM-50'], mutation: storingKeys(key => key.slice(0, 36)) },
  { does: 'stores keys in lower case',                  caughtBy: ['IDM-50'], mutation: storingKeys(key => key.toLowerCase()) },
  { does: 'refuses a long key on reads',                caughtBy: ['IDM-51'], mutation: refuseCalls(call => isRead(call) && requestHeader(call, 'idempotency-key').length > 64) },
  { does: 'refuses an empty key on reads',              caughtBy: ['IDM-51'], mutation: refuseCalls(call => isRead(call) && call.incoming.headers['idempotency-key'] === '') },
  { does: 'refuses the key of an initiate on reads',    caughtBy: ['IDM-51'], mutation: withFreshState(refusingKeysOf(isInitiate, isRead)) },
  { does: 'refuses the key of a read on initiate',      caughtBy: ['IDM-52'], mutation: withFreshState(refusingKeysOf(isRead, isInitiate)) },
  { does: 'replays status by Idempotency-Key',          caughtBy: ['IDM-26'], mutation: answeringAgain(keyed('status')) },
  { does: 'replays events by Idempotency-Key',          caughtBy: ['IDM-27'], mutation: answeringAgain(keyed('events')) },
  { does: 'replays providers by Idempotency-Key',       caughtBy: ['IDM-25'], mutation: answeringAgain(keyed('providers')) },
]
