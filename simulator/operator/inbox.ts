import type { Bell } from '../bell.ts'
import { type Clock, pause, stopwatch } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Store } from '../store/port.ts'
import type { InboxQuery } from '../store/webhooks-port.ts'
import type { Sending } from '../webhooks/notification.ts'
import { newSecret, type SignSending } from '../webhooks/signing.ts'
import { OperatorError } from './operator-error.ts'

type Parts = {
  store: Store
  clock: Clock
  ids: Ids
  jobs: Jobs
  webhooks: { sign: SignSending; bell: Bell; closing: AbortSignal }
}

/** A notification as it would have arrived at the merchant's server. */
export type Message = { sending: Sending; method: 'POST'; target: string; headers: Readonly<Record<string, string>> }

export type InboxWish = Omit<InboxQuery, 'now' | 'order' | 'limit'>

/** Where the inbox pretends to be: the signature covers it. */
const TARGET = '/inbox'

/** A delayed notification comes by the clock alone: nobody rings for it. */
const LOOK_AGAIN = 100

/** The inbox that every organization has: what was due by now, signed when it is read, with a secret of its own (6). */
export const createInbox = ({ store, clock, ids, jobs, webhooks }: Parts) => {
  const { sign, bell, closing } = webhooks

  /** What the inbox signs with: whsec_ and the key. */
  const secretOf = async (organizationId: string): Promise<string> => {
    const name = `inbox-secret:${organizationId}`
    const known = await store.setting(name)
    if (known !== undefined) return known
    const made = newSecret(ids)
    await store.saveSetting(name, made)
    return made
  }
  const look = async (organizationId: string, query: Omit<InboxQuery, 'now'>): Promise<Message[]> => {
    await jobs.catchUp(organizationId)
    const found = await store.inbox(organizationId, { ...query, now: clock.now(organizationId) })
    if (found.length === 0) return []
    const secret = await secretOf(organizationId)
    return Promise.all(
      found.map(async sending => {
        return { sending, method: 'POST' as const, target: TARGET, headers: await sign(sending, TARGET, [secret]) }
      }),
    )
  }

  return {
    secretOf,
    /** Newest first. */
    list: (organizationId: string, wish: InboxWish, limit: number) =>
      look(organizationId, { ...wish, order: 'newest', limit }),

    /** The first that fits, as soon as there is one; gives up after so many milliseconds of real time. */
    wait: async (organizationId: string, wish: InboxWish, atMost: number): Promise<Message> => {
      const elapsed = stopwatch()
      for (;;) {
        const rung = bell.next(organizationId)
        const [found] = await look(organizationId, { ...wish, order: 'oldest', limit: 1 })
        if (found) return found
        const left = atMost - elapsed()
        if (left <= 0 || closing.aborted) throw nothingCame(wish, atMost)
        await Promise.race([rung, pause(Math.min(left, LOOK_AGAIN), closing)])
      }
    },

    clear: async (organizationId: string): Promise<number> =>
      store.clearInbox(organizationId, clock.now(organizationId)),
  }
}

const nothingCame = ({ type, transactionId, clientTransactionId, after }: InboxWish, atMost: number): OperatorError => {
  const what = `${after === undefined ? 'No' : 'No further'} ${type ?? 'notification'}`
  const whose = transactionId ?? clientTransactionId
  return new OperatorError(
    'unknown',
    `${what}${whose === undefined ? '' : ` of ${whose}`} came within ${atMost / 1000} s: see what did with GET …/inbox.`,
  )
}
