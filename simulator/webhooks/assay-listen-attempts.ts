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
  /** The address as the listener sees it; the signature covers its path. */
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}
/** Outcome of the request that a listener made: the receiver's response, or why there was none. */
export type ForwardedOutcome = Pick<SendResult, 'response' | 'error' | 'isTimeout'>

type Waiting = { request: ForwardedAttempt; end: (outcome: ForwardedOutcome) => void; isTaken: boolean }

type Parts = { ids: Ids; timeoutMilliseconds: number; closing: AbortSignal }

/**
 * Creates the functions that hand webhook delivery attempts to the listeners (`assay listen`) that make them, and take
 * the outcomes back; an endpoint has one attempt at a time.
 */
export const createWebhookListeners = ({ ids, timeoutMilliseconds, closing }: Parts) => {
  const waiting = new Map<string, Waiting>()
  const arrivals = createSignal()

  return {
    /** Offers an attempt to the endpoint's listener and returns what it came to; it fails where none comes in time. */
    send: async (endpointId: string, request: Omit<ForwardedAttempt, 'attemptId'>): Promise<ForwardedOutcome> => {
      const attemptId = ids.uuid()
      const { promise, resolve: end } = Promise.withResolvers<ForwardedOutcome>()
      waiting.set(endpointId, { request: { ...request, attemptId }, end, isTaken: false })
      arrivals.notify(endpointId)
      const error = `No listener answered within ${timeoutMilliseconds / 1000} s: is "assay listen" running?`
      const nobody = pause(timeoutMilliseconds, closing).then(() => ({ error, isTimeout: true }))
      const outcome = await Promise.race([promise, nobody])
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
