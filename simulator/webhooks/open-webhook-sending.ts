import type { SigningKey, SigningOptions } from '../../contracts/protocol/sign-messages.ts'
import type { Store } from '../store/store.ts'
import { type Clock, stopwatch } from '../support/clock.ts'
import type { DialectRegistry } from '../support/dialect-registry.ts'
import type { WorkObserver } from '../support/due-work-observer.ts'
import type { Ids } from '../support/ids.ts'
import { createSignal } from '../support/wake-up-signal.ts'
import { createAllowedTargets } from './allowed-target-addresses.ts'
import { createWebhookListeners } from './assay-listen-attempts.ts'
import { createDispatcher, type SendToEndpoint } from './dispatcher.ts'
import { createSendWebhook, type SendWebhook } from './send-webhook.ts'
import { createSignMessage } from './sign-message.ts'

export type WebhookDependencies = {
  store: Store
  clock: Clock
  ids: Ids
  /** The service's signing key, also used for responses. */
  key: SigningKey
  dialect: Omit<SigningOptions, 'created'>
  dialects: Pick<DialectRegistry, 'of'>
  privateRanges: readonly string[]
  timeoutMilliseconds: number
  /** PEM of an additional certificate authority that is trusted for receivers. */
  ca?: string | undefined
  /** Takes webhooks in place of the network. */
  post?: SendWebhook | undefined
  /** Ends attempts in progress, long polls and streams when aborted. */
  closing: AbortSignal
  observer: WorkObserver
  onError: (error: unknown) => void
}

/** Opens the sending of webhooks (6): message signing, HTTP sender and dispatcher, with a signal for new messages. */
export const openWebhookSending = (parts: WebhookDependencies) => {
  const newsSignal = createSignal()
  const sign = createSignMessage(parts)
  const post = parts.post ?? createSendWebhook({ ...parts, targets: createAllowedTargets(parts.privateRanges) })
  const listeners = createWebhookListeners(parts)
  const send: SendToEndpoint = async ({ endpointId, url, isForwarded }, headers, body, signal) => {
    if (!isForwarded) return post(url, headers, body, signal)
    const elapsed = stopwatch()
    const outcome = await listeners.send(endpointId, { url, headers, body })
    return { ...outcome, durationMilliseconds: Math.round(elapsed()) }
  }
  const dispatcher = createDispatcher({ ...parts, newsSignal, sign, send })
  return {
    dispatcher,
    listeners,
    sign,
    /** Notified when messages were saved. */
    newsSignal,
    closing: parts.closing,
  }
}

export type WebhookSending = ReturnType<typeof openWebhookSending>
