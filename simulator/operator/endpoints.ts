import type { Clock } from '../clock.ts'
import { DAY } from '../duration.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Store } from '../store/port.ts'
import { type Endpoint, NOTIFICATION_TYPES, type NotificationType, PING } from '../webhooks/notification.ts'
import { newSecret, validSecrets } from '../webhooks/signing.ts'
import { urlFault } from '../webhooks/targets.ts'
import { newDelivery } from '../webhooks/telling.ts'
import { OperatorError } from './operator-error.ts'

type Parts = { store: Store; clock: Clock; ids: Ids; jobs: Jobs }

/** An endpoint as people ask for it. */
export type EndpointWish = Partial<Record<'url' | 'types', unknown>>
/** What may be changed of one; `enabled: true` takes one up again that was disabled. */
export type EndpointChange = EndpointWish & { enabled?: unknown }

const MOST_ENDPOINTS = 20

/** Where an organization is told what happens (6): addresses, types and secrets. */
export const createEndpoints = ({ store, clock, ids, jobs }: Parts) => {
  const known = (endpoint: Endpoint | undefined, endpointId: string): Endpoint => {
    if (endpoint) return endpoint
    throw new OperatorError('unknown', `There is no webhook endpoint ${endpointId}: GET …/webhooks lists them.`)
  }
  const find = async (organizationId: string, endpointId: string): Promise<Endpoint> =>
    known(
      (await store.endpoints(organizationId)).find(one => one.endpointId === endpointId),
      endpointId,
    )
  const change = async (
    organizationId: string,
    endpointId: string,
    changed: (endpoint: Endpoint) => Endpoint,
  ): Promise<Endpoint> => known(await store.changeEndpoint(organizationId, endpointId, changed), endpointId)

  return {
    list: (organizationId: string): Promise<readonly Endpoint[]> => store.endpoints(organizationId),
    find,

    add: async (organizationId: string, { url, types }: EndpointWish): Promise<Endpoint> => {
      if ((await store.endpoints(organizationId)).length >= MOST_ENDPOINTS)
        throw new OperatorError('conflict', `There are ${MOST_ENDPOINTS} webhook endpoints already: delete one first.`)
      const endpoint: Endpoint = {
        endpointId: ids.uuid(),
        url: urlOf(url),
        ...typesOf(types),
        secrets: [{ secret: newSecret(ids) }],
        createdAt: clock.now(organizationId),
      }
      await store.addEndpoint(organizationId, endpoint)
      return endpoint
    },

    change: async (organizationId: string, endpointId: string, { url, types, enabled }: EndpointChange) => {
      const wanted = { ...(url === undefined ? {} : { url: urlOf(url) }), ...typesOf(types) }
      if (enabled !== undefined && typeof enabled !== 'boolean')
        throw new OperatorError('invalid', `enabled is ${JSON.stringify(enabled)}: give true or false.`)
      const now = clock.now(organizationId)
      return change(organizationId, endpointId, ({ disabled, ...endpoint }) => {
        const off = enabled === false ? { at: now, reason: 'Disabled by hand.' } : enabled ? undefined : disabled
        return { ...endpoint, ...wanted, ...(off ? { disabled: off } : {}) }
      })
    },

    remove: async (organizationId: string, endpointId: string): Promise<void> => {
      if (!(await store.removeEndpoint(organizationId, endpointId))) known(undefined, endpointId)
    },

    /** A new secret; the ones before it go on signing for so many milliseconds. */
    rotate: (organizationId: string, endpointId: string, overlap = DAY): Promise<Endpoint> => {
      const now = clock.now(organizationId)
      const fresh = newSecret(ids)
      return change(organizationId, endpointId, endpoint => {
        const [newest] = endpoint.secrets.filter(({ secret }) => validSecrets(endpoint.secrets, now).includes(secret))
        const old = newest && overlap > 0 ? [{ ...newest, until: now + overlap }] : []
        return { ...endpoint, secrets: [{ secret: fresh }, ...old] }
      })
    },

    /** Sends what is about no payment, to see whether it arrives; tells the delivery to look for. */
    ping: async (organizationId: string, endpointId: string): Promise<string> => {
      await find(organizationId, endpointId)
      const now = clock.now(organizationId)
      const notificationId = ids.orderedUuid(now)
      const body = JSON.stringify({ notificationId, notificationType: PING })
      const none = { transactionId: '', clientTransactionId: '' }
      const sendingId = ids.orderedUuid(now)
      await store.addSending(organizationId, {
        sendingId,
        notificationId,
        type: PING,
        ...none,
        body,
        dueAt: now,
        variant: {},
      })
      const delivery = newDelivery(sendingId, endpointId, now, ids)
      await store.addDeliveries(organizationId, [delivery])
      jobs.scheduled(organizationId, now)
      return delivery.deliveryId
    },

    /** Sends once more what was due since an instant and is of its types; how many notifications. */
    replay: async (organizationId: string, endpointId: string, since: number): Promise<number> => {
      const { types } = await find(organizationId, endpointId)
      const now = clock.now(organizationId)
      const all = await store.sendings(organizationId, since, now)
      const wanted = all.filter(({ type }) => !types || types.some(known => known === type))
      const deliveries = wanted.map(({ sendingId }) => newDelivery(sendingId, endpointId, now, ids))
      await store.addDeliveries(organizationId, deliveries)
      if (deliveries.length > 0) jobs.scheduled(organizationId, now)
      return deliveries.length
    },
  }
}

const urlOf = (url: unknown): string => {
  if (typeof url !== 'string') throw new OperatorError('invalid', `url is ${told(url)}: give the address to send to.`)
  const fault = urlFault(url)
  if (fault) throw new OperatorError('invalid', `url is ${told(url)}: ${fault}.`)
  return new URL(url).href
}

/** A list of types; without one all of them, those to come among them. */
const typesOf = (types: unknown): { types?: readonly NotificationType[] } => {
  if (types === undefined) return {}
  const known = NOTIFICATION_TYPES.filter(type => Array.isArray(types) && types.includes(type))
  if (Array.isArray(types) && types.length > 0 && known.length === new Set(types).size) return { types: known }
  throw new OperatorError('invalid', `types is ${told(types)}: give a list of ${NOTIFICATION_TYPES.join(', ')}.`)
}

const told = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 80))
