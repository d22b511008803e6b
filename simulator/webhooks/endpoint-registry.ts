import { writeWebhook } from '../../contracts/dialect/dialect.ts'
import { hideUserInfo } from '../../contracts/protocol/user-info.ts'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import { NOTIFICATION_TYPES, type NotificationType } from '../payments/notification-types.ts'
import type { Store } from '../store/store.ts'
import { type Endpoint, PING } from '../store/webhook-store.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import type { DialectRegistry } from '../support/dialect-registry.ts'
import { DAY } from '../support/duration.ts'
import type { Ids } from '../support/ids.ts'
import { createOneAtATime } from '../support/one-at-a-time.ts'
import { describeUrlProblem, forwardedAddress } from './allowed-target-addresses.ts'
import { createEndpointSecret, filterValidSecrets } from './endpoint-secrets.ts'
import { endpointOfAnotherPort } from './endpoints-on-other-ports-of-same-machine.ts'
import { createDelivery } from './outbox.ts'

type Parts = { store: Store; clock: Clock; ids: Ids; jobs: JobScheduler; dialects: Pick<DialectRegistry, 'of'> }

/** Unvalidated input for a webhook endpoint. */
type EndpointInput = Partial<Record<'url' | 'types', unknown>>
/** Unvalidated change of a webhook endpoint; `enabled: true` re-enables a disabled one. */
export type EndpointChange = EndpointInput & { enabled?: unknown }

const MAX_ENDPOINTS = 20
/** Number of notifications that one replay sends again. */
const MAX_REPLAYED = 1000

/** Creates the registry of webhook endpoints: URL, types and secrets; test and replay (6). */
export const createEndpointRegistry = ({ store, clock, ids, jobs, dialects }: Parts) => {
  const known = (endpoint: Endpoint | undefined, endpointId: string): Endpoint => {
    if (endpoint) return endpoint
    throw new ControlError('unknown', `There is no webhook endpoint ${endpointId}: GET …/webhooks lists them.`)
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

  const newest = (organizationId: string) => async (endpointId: string) =>
    (await store.deliveries(organizationId, { endpointId, limit: 1 }))[0]

  const { replicas } = store
  const oneAtATime = createOneAtATime()
  /** Runs registrations one after the other, on all replicas, so that two of one address share an endpoint. */
  const inTurn = <Result>(organizationId: string, act: () => Promise<Result>): Promise<Result> =>
    replicas ? oneAtATime('', () => replicas.withTurn('webhook-endpoints', act)) : oneAtATime(organizationId, act)

  /**
   * Registers an address. One that has an endpoint keeps it, with its secrets: a shop that registers at each start has one. It is
   * enabled, and has the types of this registration; a given secret takes the place of all before it. With `isLeft` it stays as it
   * is. Where there are as many as may be, that of another port gives way.
   */
  const register = async (
    organizationId: string,
    input: EndpointInput,
    secret?: string,
    { isLeft = false } = {},
  ): Promise<{ endpoint: Endpoint; isNew: boolean }> => {
    const wanted = { url: urlOf(input.url), ...typesOf(input.types) }
    return inTurn(organizationId, async () => {
      const all = await store.endpoints(organizationId)
      const known = all.find(({ url }) => url === wanted.url)
      if (known && isLeft) return { endpoint: known, isNew: false }
      if (known) {
        const kept = { endpointId: known.endpointId, createdAt: known.createdAt }
        const endpoint = await change(organizationId, known.endpointId, ({ secrets }) => ({
          ...kept,
          ...wanted,
          secrets: secret === undefined || secrets[0]?.secret === secret ? secrets : [{ secret }],
        }))
        return { endpoint, isNew: false }
      }
      if (all.length >= MAX_ENDPOINTS) {
        const old = await endpointOfAnotherPort(all, wanted.url, newest(organizationId))
        if (!old)
          throw new ControlError('conflict', `There are ${MAX_ENDPOINTS} webhook endpoints already: delete one first.`)
        await store.removeEndpoint(organizationId, old.endpointId)
      }
      const endpoint: Endpoint = {
        endpointId: ids.uuid(),
        ...wanted,
        secrets: [{ secret: secret ?? createEndpointSecret(ids) }],
        createdAt: clock.now(organizationId),
      }
      await store.addEndpoint(organizationId, endpoint)
      return { endpoint, isNew: true }
    })
  }

  return {
    types: NOTIFICATION_TYPES,
    list: (organizationId: string): Promise<readonly Endpoint[]> => store.endpoints(organizationId),
    find,

    register,
    add: async (organizationId: string, input: EndpointInput): Promise<Endpoint> =>
      (await register(organizationId, input)).endpoint,

    change: async (organizationId: string, endpointId: string, { url, types, enabled }: EndpointChange) => {
      const wanted = { ...(url === undefined ? {} : { url: urlOf(url) }), ...typesOf(types) }
      if (enabled !== undefined && typeof enabled !== 'boolean')
        throw new ControlError('invalid', `enabled is ${JSON.stringify(enabled)}: give true or false.`)
      const now = clock.now(organizationId)
      return change(organizationId, endpointId, ({ disabled, ...endpoint }) => {
        const off = enabled === false ? { at: now, reason: 'Disabled by hand.' } : enabled ? undefined : disabled
        return { ...endpoint, ...wanted, ...(off ? { disabled: off } : {}) }
      })
    },

    remove: async (organizationId: string, endpointId: string): Promise<void> => {
      if (!(await store.removeEndpoint(organizationId, endpointId))) known(undefined, endpointId)
    },

    /** Adds a new secret; the newest one before it also signs for `overlap` milliseconds. */
    rotate: (organizationId: string, endpointId: string, overlap = DAY): Promise<Endpoint> => {
      const now = clock.now(organizationId)
      const secret = createEndpointSecret(ids)
      return change(organizationId, endpointId, endpoint => {
        const [newest] = endpoint.secrets.filter(one => filterValidSecrets(endpoint.secrets, now).includes(one.secret))
        const old = newest && overlap > 0 ? [{ ...newest, until: now + overlap }] : []
        return { ...endpoint, secrets: [{ secret }, ...old] }
      })
    },

    /** Sends a PING, which concerns no payment, to test an endpoint; returns its deliveryId. */
    ping: async (organizationId: string, endpointId: string): Promise<string> => {
      refuseDisabled(await find(organizationId, endpointId))
      const now = clock.now(organizationId)
      const notificationId = ids.orderedUuid(now)
      const body = JSON.stringify(writeWebhook(dialects.of(organizationId), { notificationId, notificationType: PING }))
      const noPayment = { transactionId: '', clientTransactionId: '' }
      const messageId = ids.orderedUuid(now)
      await store.addMessage(organizationId, {
        messageId,
        notificationId,
        type: PING,
        ...noPayment,
        body,
        dueAt: now,
        variation: {},
      })
      const delivery = createDelivery(messageId, endpointId, now, ids)
      await store.addDeliveries(organizationId, [delivery])
      jobs.scheduled(organizationId, now)
      return delivery.deliveryId
    },

    /** Sends the notifications due since an instant again, of the endpoint's types; returns how many. */
    replay: async (organizationId: string, endpointId: string, since: number): Promise<number> => {
      const endpoint = await find(organizationId, endpointId)
      refuseDisabled(endpoint)
      const { types } = endpoint
      const now = clock.now(organizationId)
      const all = await store.messages(organizationId, since, now, MAX_REPLAYED + 1)
      if (all.length > MAX_REPLAYED)
        throw new ControlError(
          'conflict',
          `There are more than ${MAX_REPLAYED} notifications since then: give a later time, or resend deliveries instead.`,
        )
      const wanted = all.filter(({ type }) => !types || types.some(known => known === type))
      const deliveries = wanted.map(({ messageId }) => createDelivery(messageId, endpointId, now, ids))
      await store.addDeliveries(organizationId, deliveries)
      if (deliveries.length > 0) jobs.scheduled(organizationId, now)
      return deliveries.length
    },
  }
}

/** Refuses to send to an endpoint that is disabled or deleted. Throws ControlError. */
export const refuseDisabled = (endpoint: Endpoint | undefined): void => {
  if (!endpoint || endpoint.disabled)
    throw new ControlError('conflict', 'Its endpoint is disabled or deleted: enable it with PATCH …/webhooks/ID.')
}

const urlOf = (url: unknown): string => {
  if (typeof url !== 'string') throw new ControlError('invalid', `url is ${shown(url)}: give the address to send to.`)
  const fault = describeUrlProblem(url)
  if (fault) throw new ControlError('invalid', `url is ${shown(url)}: ${fault}.`)
  const address = forwardedAddress(url)
  return `${url.slice(0, -address.url.length)}${new URL(address.url).href}`
}

/** Reads a list of notification types; without a list, all types, including future ones. */
const typesOf = (types: unknown): { types?: readonly NotificationType[] } => {
  if (types === undefined) return {}
  const known = NOTIFICATION_TYPES.filter(type => Array.isArray(types) && types.includes(type))
  if (Array.isArray(types) && types.length > 0 && known.length === new Set(types).size) return { types: known }
  throw new ControlError('invalid', `types is ${shown(types)}: give a list of ${NOTIFICATION_TYPES.join(', ')}.`)
}

const shown = (value: unknown): string =>
  value === undefined ? 'missing' : hideUserInfo(JSON.stringify(value)).slice(0, 80)
