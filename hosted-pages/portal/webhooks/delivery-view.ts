/** States by which the portal shows webhook deliveries; a failing one was tried and waits for its next attempt. */
export const SHOWN_STATES = ['failing', 'waiting', 'delivered', 'dropped'] as const
export type ShownState = (typeof SHOWN_STATES)[number]
type DeliveryState = Exclude<ShownState, 'failing'>

/** Count of the webhook deliveries to an endpoint in one state, as the portal shows it. */
export type DeliveryCount = { endpointId: string; state: DeliveryState; isTried: boolean; count: number }

/**
 * A webhook delivery as the portal lists it, on its way to one endpoint; times are epoch milliseconds on the
 * organization's clock.
 */
export type DeliveryView = {
  deliveryId: string
  endpointId: string
  state: DeliveryState
  /** The message; its transactionId is empty where it is about no payment. */
  message: { type: string; transactionId: string; body: string }
  firstDueAt: number
  /** When the next attempt is due. */
  dueAt?: number
  /** The resend that was asked for last, by its real time. */
  resentAt?: number
  attemptCount: number
  /** The newest and the automatic ones. */
  attempts: readonly DeliveryAttempt[]
}

/** One attempt of a webhook delivery as the portal shows it; `error` says why there is no response. */
export type DeliveryAttempt = {
  at: number
  /** Real time. */
  real?: number
  /** The resend that asked for it, by its real time. */
  resentAt?: number
  durationMilliseconds: number
  request: { method: string; url: string; headers: Readonly<Record<string, string>> }
  response?: { status: number; headers: Readonly<Record<string, string>>; body: string }
  error?: string
}

/** Criteria by which the portal lists webhook deliveries: of one payment or any of several, in a state. */
export type DeliveryQuery = {
  endpointId?: string | undefined
  transactionId?: readonly string[] | undefined
  state?: DeliveryState | undefined
  isTried?: boolean | undefined
  before?: string | undefined
  limit: number
}

/** Returns the state in which the portal shows a delivery: one that waits after an attempt without a 2xx is failing. */
export const shownState = ({ state, attempts }: Pick<DeliveryView, 'state' | 'attempts'>): ShownState => {
  const status = attempts.at(-1)?.response?.status ?? 0
  return state === 'waiting' && attempts.length > 0 && Math.floor(status / 100) !== 2 ? 'failing' : state
}

/** Returns the part of a query that selects deliveries shown in a state. */
export const inState = (shown: string | undefined): Pick<DeliveryQuery, 'state' | 'isTried'> => {
  const state = SHOWN_STATES.find(one => one === shown)
  return state === 'failing' || state === 'waiting' ? { state: 'waiting', isTried: state === 'failing' } : { state }
}
