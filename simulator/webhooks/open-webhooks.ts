import type { SigningKey, SigningOptions } from '../../contracts/protocol/sign.ts'
import { createBell } from '../bell.ts'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Store } from '../store/port.ts'
import { createCourier } from './courier.ts'
import { createSend } from './send.ts'
import { createSignSending } from './signing.ts'
import { createTargets } from './targets.ts'
import { telling } from './telling.ts'

export type WebhookWiring = {
  /** The store itself, which tells nobody. */
  store: Store
  clock: Clock
  ids: Ids
  /** What signs answers signs webhooks too; asked for when something is to be signed. */
  key: () => SigningKey
  dialect: Omit<SigningOptions, 'created'>
  showLifecycle: boolean
  privateRanges: readonly string[]
  timeoutMilliseconds: number
  /** PEM of one more authority that receivers' certificates may be by. */
  ca?: string | undefined
  scheduled(organizationId: string, dueAt: number): void
  onFault: (error: unknown) => void
}

/** Everything that tells merchants what happened (6); `store` is the one to work with from here on. */
export const openWebhooks = (wiring: WebhookWiring) => {
  const { store, clock, ids, showLifecycle, privateRanges, scheduled, onFault } = wiring
  const bell = createBell()
  const sign = createSignSending(wiring)
  const send = createSend({ ...wiring, targets: createTargets(privateRanges) })
  const courier = createCourier({ store, clock, bell, sign, send, onFault })
  const stopping = new AbortController()
  return {
    store: telling(store, {
      ids,
      real: clock.real,
      showLifecycle,
      scheduled,
      told: bell.ring,
      deliver: courier.firstTries,
    }),
    courier,
    sign,
    bell,
    /** Whoever waits for something to happen stops to. */
    closing: stopping.signal,
    stop: async (): Promise<void> => {
      stopping.abort()
      await courier.stop()
    },
  }
}

export type Webhooks = ReturnType<typeof openWebhooks>
