import { AFTER_ALL_DUE_TIMES, type BackgroundWorkSource } from '../jobs/due-work.ts'
import type { Store } from '../store/store.ts'
import type { Delivery, DeliveryAttempt, Endpoint, Message } from '../store/webhook-store.ts'
import { type Clock, pause, stopwatch } from '../support/clock.ts'
import type { AttemptOutcome, WorkObserver } from '../support/due-work-observer.ts'
import { SECOND } from '../support/duration.ts'
import type { Signal } from '../support/wake-up-signal.ts'
import { forwardedAddress } from './allowed-target-addresses.ts'
import { filterValidSecrets } from './endpoint-secrets.ts'
import { askedFor, changeOfEndpoint, placeOfAttempt, updateAfterAttempt } from './retry-schedule.ts'
import { createSaveAttempt } from './save-attempt.ts'
import type { SendResult } from './send-webhook.ts'
import type { SignMessage } from './sign-message.ts'

/**
 * A function that makes one attempt to deliver a webhook message to an endpoint, by a request or through its listener.
 */
export type SendToEndpoint = (
  endpoint: { endpointId: string; url: string; isForwarded: boolean },
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<SendResult>

type Parts = {
  store: Store
  clock: Clock
  newsSignal: Signal
  sign: SignMessage
  send: SendToEndpoint
  observer: Pick<WorkObserver, 'attempt'>
  /** Aborts attempts in progress; their deliveries stay due. */
  closing: AbortSignal
  timeoutMilliseconds: number
  onError: (error: unknown) => void
  /**
   * Milliseconds between checks whether another replica still holds an endpoint's delivery, and until an attempt that
   * could not be saved is saved again.
   */
  lookAgain?: number
}

/** Dispatcher of webhook deliveries: sequential per endpoint, endpoints in parallel. */
type Dispatcher = BackgroundWorkSource & {
  /** Waits until each of these deliveries has had its first attempt, is finished, or its endpoint did not respond. */
  firstAttempts(organizationId: string, deliveryIds: readonly string[]): Promise<void>
  /** Waits for the attempts in progress, which end at once when the simulator closes. */
  settled(): Promise<void>
}

const outcomeOf = (status: number | undefined): AttemptOutcome =>
  status === undefined ? 'failed' : status >= 200 && status < 300 ? 'delivered' : 'refused'

/** Number of delivery attempts that one run to an endpoint made, or the internal failure of the run. */
type RunResult = { tried: number; error?: unknown }
/** The run to an endpoint: until its end, and until an attempt is left without a response or cannot be saved. */
type EndpointRun = { organizationId: string; ended: Promise<RunResult>; unresponsive: Promise<'unresponsive'> }

/**
 * The instant of an attempt: when it is due where control has moved the clock there or beyond, and else the present,
 * which is later after a stop, and from which the schedule goes on.
 */
const instantOfAttempt = (clock: Clock, organizationId: string, dueAt: number): number =>
  dueAt <= clock.setting(organizationId).anchorVirtual ? dueAt : Math.max(dueAt, clock.now(organizationId))

/** Interval of the check for deliveries that a stopped replica still claims, as such a replica sends no signal. */
const LOOK_AGAIN = SECOND
/** Least time between two looks at a delivery that another replica claims, as every message of the organization is news. */
const BETWEEN_LOOKS = SECOND / 20

/** Creates the dispatcher of webhooks, which attempts due deliveries, endpoint by endpoint. */
export const createDispatcher = (parts: Parts): Dispatcher => {
  const { store, clock, newsSignal, sign, send, observer, closing: signal, timeoutMilliseconds, onError } = parts
  const { lookAgain = LOOK_AGAIN } = parts
  const lanes = new Map<string, EndpointRun>()
  /** Runs whose end a call of startDue has returned. */
  const followed = new WeakSet<EndpointRun>()
  const saveAttempt = createSaveAttempt(parts, lookAgain)

  /** The end of a run, or the present where a reset or restore has set the clock back since the run began. */
  const untilNow = (organizationId: string, upTo: number): number => Math.min(upTo, clock.now(organizationId))

  /** Makes and saves an attempt, and tells while it cannot be saved; returns whether it was left without a response. */
  const makeAttempt = async (
    organizationId: string,
    delivery: Delivery,
    dueAt: number,
    onUnsaved: () => void,
  ): Promise<boolean> => {
    const { endpointId, deliveryId } = delivery
    const { message, attempts = [] } = (await store.delivery(organizationId, deliveryId)) ?? {}
    const endpoint = (await store.endpoints(organizationId)).find(one => one.endpointId === endpointId)
    const real = clock.real()
    const lag = clock.realSince(organizationId, dueAt)
    const at = instantOfAttempt(clock, organizationId, dueAt)
    const { request, isTimeout = false, ...sent } = await call(organizationId, endpoint, message, at)
    if (signal.aborted) return false
    if (clock.now(organizationId) < at) return isTimeout // a reset or restore undid the attempt
    const { status, headers } = sent.response ?? {}
    observer.attempt({ organizationId, outcome: outcomeOf(status), lag })
    const result = { status, retryAfter: headers?.['retry-after'] }
    const place = placeOfAttempt(delivery, attempts, at)
    const made = {
      delivery: updateAfterAttempt(delivery, result, at, clock.real(), place),
      attempt: { at, real, request, ...sent, ...askedFor(delivery, place) },
      changed: changeOfEndpoint(endpoint, status, { at, deliveryId }),
    }
    await saveAttempt(organizationId, made, onUnsaved)
    return isTimeout
  }

  const call = async (
    organizationId: string,
    endpoint: Endpoint | undefined,
    message: Message | undefined,
    at: number,
  ): Promise<SendResult & Pick<DeliveryAttempt, 'request'>> => {
    const { url, isForwarded } = forwardedAddress(endpoint?.url ?? '')
    const request: DeliveryAttempt['request'] = { method: 'POST', url, headers: {} }
    if (!endpoint || endpoint.disabled || !message)
      return { request, durationMilliseconds: 0, error: 'The endpoint is disabled or deleted.' }
    const { pathname, search } = new URL(url)
    const secrets = filterValidSecrets(endpoint.secrets, at)
    const headers = await sign(organizationId, message, `${pathname}${search}`, secrets)
    const to = { endpointId: endpoint.endpointId, url, isForwarded }
    return { request: { ...request, headers }, ...(await send(to, headers, message.body, signal)) }
  }

  /** Makes all due attempts to one endpoint, in order of due time; tells where one is not to be awaited. */
  const runEndpoint = async (
    organizationId: string,
    endpointId: string,
    upTo: number,
    onUnresponsive: () => void,
  ): Promise<number> => {
    let tried = 0
    let elapsed = stopwatch()
    for (;;) {
      if (signal.aborted) return tried
      const signaled = newsSignal.wait(organizationId)
      const delivery = await store.dueDeliveryTo(organizationId, endpointId, untilNow(organizationId, upTo))
      if (delivery === 'claimed') {
        if (elapsed() > timeoutMilliseconds) onUnresponsive()
        await pause(Math.min(BETWEEN_LOOKS, lookAgain), signal)
        await Promise.race([signaled, pause(lookAgain, signal)])
        continue
      }
      if (delivery?.dueAt === undefined) return tried
      if (await makeAttempt(organizationId, delivery, delivery.dueAt, onUnresponsive)) onUnresponsive()
      elapsed = stopwatch()
      tried += 1
    }
  }

  /** Starts the run of an endpoint, or returns the one in progress. */
  const startOrJoin = (organizationId: string, endpointId: string, upTo: number): EndpointRun => {
    const known = lanes.get(endpointId)
    if (known) return known
    const { promise: unresponsive, resolve } = Promise.withResolvers<'unresponsive'>()
    const ended = runEndpoint(organizationId, endpointId, upTo, () => resolve('unresponsive'))
      .then(
        tried => ({ tried }),
        error => ({ tried: 0, ...(signal.aborted ? {} : { error }) }),
      )
      .finally(() => lanes.delete(endpointId))
    const run = { organizationId, ended, unresponsive }
    lanes.set(endpointId, run)
    return run
  }

  const runsOf = (organizationId: string) => [...lanes].filter(([, run]) => run.organizationId === organizationId)
  const busy = (organizationId: string) => runsOf(organizationId).map(([endpointId]) => endpointId)

  const dueExcept = async (organizationId: string, upTo: number, endpointIds: readonly string[]) =>
    signal.aborted ? undefined : store.dueDelivery(organizationId, untilNow(organizationId, upTo), endpointIds)

  /** Calls `start` for a delivery to each endpoint that is due up to this instant and not called now. */
  const eachFree = async (organizationId: string, upTo: number, start: (due: Delivery) => unknown): Promise<void> => {
    const find = () => dueExcept(organizationId, upTo, busy(organizationId))
    for (let free = await find(); free; free = await find()) start(free)
  }

  const runDue: Dispatcher['runDue'] = async (organizationId, upTo, unresponsive) => {
    const runs = new Set<Promise<RunResult>>()
    const startRun = ({ endpointId }: Delivery): Promise<RunResult> => {
      const run = startOrJoin(organizationId, endpointId, upTo)
      const leave = (): RunResult => {
        unresponsive?.add(endpointId)
        return { tried: 0 }
      }
      const awaited = unresponsive ? Promise.race([run.ended, run.unresponsive.then(leave)]) : run.ended
      if (!unresponsive?.has(endpointId)) runs.add(awaited)
      return awaited
    }
    for (;;) {
      await eachFree(organizationId, upTo, startRun)
      const due = await dueExcept(organizationId, upTo, [...(unresponsive ?? [])])
      if (!due) break
      const { error } = await startRun(due)
      if (error !== undefined) throw error
    }
    const results = await Promise.all(runs)
    return results.reduce((sum, { tried }) => sum + tried, 0)
  }

  const startDue: Dispatcher['startDue'] = async organizationId => {
    await eachFree(organizationId, AFTER_ALL_DUE_TIMES, ({ endpointId }) =>
      startOrJoin(organizationId, endpointId, AFTER_ALL_DUE_TIMES),
    )
    const unseen = runsOf(organizationId).flatMap(([, run]) => (followed.has(run) ? [] : run))
    for (const run of unseen) followed.add(run)
    return unseen.map(({ ended }) => ended)
  }

  return {
    runDue,
    startDue,
    next: async organizationId => {
      const due = await store.dueDelivery(organizationId, AFTER_ALL_DUE_TIMES, busy(organizationId))
      return due?.dueAt === undefined ? undefined : { at: due.dueAt, name: 'delivery' }
    },
    firstAttempts: async (organizationId, deliveryIds) => {
      for (const deliveryId of deliveryIds) {
        for (;;) {
          const delivery = signal.aborted ? undefined : await store.delivery(organizationId, deliveryId)
          if (!delivery || delivery.attemptCount > 0 || delivery.dueAt === undefined) break
          if (delivery.dueAt > clock.now(organizationId)) break
          const run = startOrJoin(organizationId, delivery.endpointId, clock.now(organizationId))
          const end = await Promise.race([run.ended, run.unresponsive])
          if (end === 'unresponsive') break
          if (end.error === undefined) continue
          onError(end.error) // the delivery is saved and attempted again when due
          return
        }
      }
    },
    settled: async () => void (await Promise.all([...lanes.values()].map(({ ended }) => ended))),
  }
}
