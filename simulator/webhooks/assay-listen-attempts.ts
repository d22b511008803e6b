import { pause } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import type { Ids } from '../support/ids.ts'
import { createSignal } from '../support/wake-up-signal.ts'
import type { SendResult } from './send-webhook.ts'

/**
 * A delivery attempt that waits for an `assay listen`: the request to make, and the id by which its outcome is told.
 */
export type ForwardedAttempt = {
  attemptId: string
  /** The address as the listener sees it; the signature covers its path and query. */
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Time for its response from when a listener takes it; without an outcome by then it has failed. */
  timeoutMilliseconds: number
}
/** Outcome of the request that a listener made: the receiver's response, or why there was none. */
export type ForwardedOutcome = Pick<SendResult, 'response' | 'error' | 'isTimeout'>

type Waiting = {
  request: ForwardedAttempt
  end: (outcome: ForwardedOutcome) => void
  onTaken: () => void
  isTaken: boolean
}

type Parts = { ids: Ids; timeoutMilliseconds: number; closing: AbortSignal }

/**
 * Creates the functions that hand webhook delivery attempts to the listeners (`assay listen`) that make them, and take
 * the outcomes back; an endpoint has one attempt at a time.
 */
export const createWebhookListeners = ({ ids, timeoutMilliseconds, closing }: Parts) => {
  const waiting = new Map<string, Waiting>()
  const arrivals = createSignal()
  const timeout = async (error: string): Promise<ForwardedOutcome> => {
    await pause(timeoutMilliseconds, closing)
    return { error, isTimeout: true }
  }
  const seconds = `${timeoutMilliseconds / 1000} s`
  const noListener = `No listener answered within ${seconds}: is "assay listen" running?`
  const noResponse = `No response within ${seconds}: "assay listen" took the webhook, and its address did not respond.`

  return {
    /**
     * Offers an attempt to the endpoint's listener and returns what it came to; it fails where none takes it in time,
     * and where the one that took it tells of no response in as much time again.
     */
    send: async (
      endpointId: string,
      request: Omit<ForwardedAttempt, 'attemptId' | 'timeoutMilliseconds'>,
    ): Promise<ForwardedOutcome> => {
      const attemptId = ids.uuid()
      const { promise: told, resolve: end } = Promise.withResolvers<ForwardedOutcome>()
      const { promise: taken, resolve: onTaken } = Promise.withResolvers<void>()
      waiting.set(endpointId, { request: { ...request, attemptId, timeoutMilliseconds }, end, onTaken, isTaken: false })
      arrivals.notify(endpointId)
      const untaken = await Promise.race([taken, timeout(noListener)])
      const outcome = untaken ?? (await Promise.race([told, timeout(noResponse)]))
      waiting.delete(endpointId)
      return outcome
    },

    /**
     * Takes the attempt that waits for an endpoint's listener, so that no other is given it; undefined where none comes
     * within `atMost` milliseconds.
     */
    take: async (endpointId: string, atMost: number, gone: AbortSignal): Promise<ForwardedAttempt | undefined> => {
      const arrived = arrivals.wait(endpointId)
      if (waiting.get(endpointId)?.isTaken ?? true)
        await Promise.race([arrived, pause(atMost, AbortSignal.any([closing, gone]))])
      const attempt = waiting.get(endpointId)
      if (!attempt || attempt.isTaken || gone.aborted) return undefined
      attempt.isTaken = true
      attempt.onTaken()
      return attempt.request
    },

    /** Tells what an attempt came to. Throws `unknown` where it is over already. */
    response: (endpointId: string, attemptId: string, outcome: ForwardedOutcome): void => {
      const attempt = waiting.get(endpointId)
      if (attempt?.request.attemptId !== attemptId)
        throw new ControlError('unknown', `The attempt ${attemptId} is over: its outcome came too late.`)
      attempt.end(outcome)
    },
  }
}
