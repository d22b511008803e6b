import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../given/webhook-receiver.ts'

/** Why a webhook of what ends only after a run is not judged: the receiver is open during runs alone. */
export const NO_RECEIVER_SO_LONG = 'no receiver of this run stays open for so long'

/**
 * Opens the checks' own webhook receiver at `webhooks.receiver`, to which `webhooks.public` leads; throws Untestable
 * without a fixed port. `ended` closes it.
 */
export const openPublicReceiver = async (
  { webhooks, file }: Profile,
  ended: AbortSignal,
  statusOf?: Parameters<typeof openWebhookReceiver>[1],
): Promise<WebhookReceiver> => {
  const { receiver, public: address = '' } = webhooks ?? {}
  if (receiver === undefined || new URL(receiver).port === '0')
    throw new Untestable(`webhooks.public leads to webhooks.receiver: give that line of ${file} a fixed port`)
  const opened = await openWebhookReceiver(receiver, statusOf, ended).catch((error: Error) => {
    throw new Untestable(`webhooks.receiver of ${file} cannot be opened: ${error.message}`)
  })
  return { ...opened, url: address }
}
