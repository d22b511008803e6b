import { setImmediate } from 'node:timers/promises'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import { NOTIFICATION_TYPES } from '../payments/notification-types.ts'
import type { Store } from '../store/store.ts'
import type { InboxQuery, Message } from '../store/webhook-store.ts'
import { type Clock, pause, stopwatch } from '../support/clock.ts'
import { ControlError, requireOneOf } from '../support/control-error.ts'
import type { Ids } from '../support/ids.ts'
import { createOneAtATime } from '../support/one-at-a-time.ts'
import { collect } from '../support/slices-across-event-loop-turns.ts'
import type { Signal } from '../support/wake-up-signal.ts'
import { createEndpointSecret } from './endpoint-secrets.ts'
import { createInboxWaiters } from './inbox-waiters.ts'
import type { SignMessage } from './sign-message.ts'

type Parts = {
  store: Store
  clock: Clock
  ids: Ids
  jobs: JobScheduler
  webhooks: { sign: SignMessage; newsSignal: Signal; closing: AbortSignal }
}

/** A message of the inbox as it would have arrived at the merchant's server, with its signed headers. */
export type InboxMessage = {
  message: Message
  method: 'POST'
  target: string
  headers: Readonly<Record<string, string>>
}

/** Filter of inbox messages. */
type InboxFilter = Omit<InboxQuery, 'now' | 'before' | 'order' | 'limit'>

/** Request target of the inbox, which the signature covers. */
const TARGET = '/inbox'

const UNKNOWN_AFTER =
  'after names no message of this organization: leave it out, or give the id of one since the last reset.'

/** Messages that an error shows of what came instead. */
const SHOWN = 3

/** Messages that are read and signed in one turn of the event loop. */
const PAGE = 50

/** Creates the inbox, the built-in webhook receiver of each organization: due notifications, signed when read (6). */
export const createInbox = ({ store, clock, ids, jobs, webhooks }: Parts) => {
  const { sign, newsSignal, closing } = webhooks

  /** The signing secret of an organization's inbox (whsec_…), created at first use. */
  const secretOf = async (organizationId: string): Promise<string> => {
    const name = `inbox-secret:${organizationId}`
    const known = await store.setting(name)
    if (known !== undefined) return known
    return store.addSetting(name, createEndpointSecret(ids))
  }
  const read = async (organizationId: string, query: Omit<InboxQuery, 'now'>): Promise<InboxMessage[]> => {
    const { type, after } = query
    if (type !== undefined) requireOneOf('type', type, NOTIFICATION_TYPES)
    await jobs.catchUp(organizationId)
    const found = await store.inbox(organizationId, { ...query, now: clock.now(organizationId) })
    if (found.length === 0 && after !== undefined && !(await store.hasMessage(organizationId, after)))
      throw new ControlError('invalid', UNKNOWN_AFTER)
    if (found.length === 0) return []
    const secret = await secretOf(organizationId)
    return Promise.all(
      found.map(async message => {
        return {
          message,
          method: 'POST' as const,
          target: TARGET,
          headers: await sign(organizationId, message, TARGET, [secret]),
        }
      }),
    )
  }

  /** Messages that match, newest first; read in pages, between which the calls of others come. */
  async function* each(organizationId: string, filter: InboxFilter, limit: number): AsyncGenerator<InboxMessage> {
    let [left, before, page] = [limit, undefined as string | undefined, [] as InboxMessage[]]
    do {
      page = await read(organizationId, { ...filter, before, order: 'newest', limit: Math.min(PAGE, left) })
      yield* page
      left -= page.length
      before = page.at(-1)?.message.messageId
      await setImmediate()
    } while (page.length === PAGE && left > 0)
  }

  const newest = async (organizationId: string, limit: number): Promise<readonly Message[]> => {
    await jobs.catchUp(organizationId)
    return store.inbox(organizationId, { order: 'newest', limit, now: clock.now(organizationId) })
  }
  const waiters = createInboxWaiters({
    newsSignal,
    closing,
    newest: async organizationId => (await newest(organizationId, 1))[0]?.messageId,
  })
  const oneAtATime = createOneAtATime()

  return {
    secretOf,
    each,
    /** Messages that match, newest first, all at once. */
    list: (organizationId: string, filter: InboxFilter, limit: number): Promise<InboxMessage[]> =>
      collect(each(organizationId, filter, limit)),

    /**
     * Waits for the first matching message; fails with `unknown` after `atMost` milliseconds of real time and where the
     * caller is gone, with `conflict` where the sandbox stops.
     */
    wait: (organizationId: string, filter: InboxFilter, atMost: number, gone: AbortSignal): Promise<InboxMessage> =>
      waiters.waiting(organizationId, async () => {
        const elapsed = stopwatch()
        const ended = AbortSignal.any([closing, gone])
        const first = () => read(organizationId, { ...filter, order: 'oldest', limit: 1 })
        for (;;) {
          const news = await waiters.news(organizationId)
          const [found] = ended.aborted ? [] : await oneAtATime(organizationId, first)
          if (found) return found
          if (closing.aborted) throw new ControlError('conflict', 'The sandbox stops: wait again once it runs.')
          const left = atMost - elapsed()
          if (left <= 0 || ended.aborted)
            throw nothingCame(filter, atMost, ended.aborted ? [] : await newest(organizationId, SHOWN))
          await Promise.race([news.come, pause(left, ended)])
        }
      }),

    clear: async (organizationId: string): Promise<number> =>
      store.clearInbox(organizationId, clock.now(organizationId)),
  }
}

const nothingCame = (
  { type, transactionId, clientTransactionId, after }: InboxFilter,
  atMost: number,
  came: readonly Message[],
): ControlError => {
  const what = `${after === undefined ? 'No' : 'No further'} ${type ?? 'notification'}`
  const whose = clientTransactionId ?? (transactionId && 'this payment')
  return new ControlError(
    'unknown',
    `${what}${whose === undefined ? '' : ` of ${whose}`} came within ${atMost / 1000} s: ${
      came.length === 0
        ? 'the inbox is empty.'
        : `the newest of the inbox are ${came.map(({ type, transactionId: id }) => `${type} of ${id}`).join(', ')}.`
    }`,
  )
}
