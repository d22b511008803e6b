import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { findOrUndefined } from '../forms/form-result.ts'
import { timestamp } from '../layout/formatted-values.ts'
import { portalPaths } from '../portal-paths.ts'
import type { DeliveryCount, DeliveryQuery, DeliveryView } from './delivery-view.ts'
import { triesOf } from './resend-outcome.ts'

/** A webhook endpoint, why it is disabled where it is, and its newest delivery where that was not acknowledged. */
type Endpoint = {
  endpointId: string
  url: string
  disabled?: { reason: string }
  failing?: { deliveryId: string }
}

/**
 * A webhook endpoint that does not take its deliveries, or is disabled: how many wait, how many were given up, and the
 * one whose attempt failed last.
 */
export type FailingEndpoint = {
  endpoint: Endpoint
  failing: number
  dropped: number
  last: DeliveryView | undefined
}

/** Features of the simulator from which failing endpoints are read. */
export type FailingEndpointFeatures = {
  deliveries: {
    list(organizationId: string, query: DeliveryQuery): Promise<readonly DeliveryView[]>
    find(organizationId: string, deliveryId: string): Promise<DeliveryView>
  }
}

/** Reads which of an organization's endpoints fail: with a delivery that waits for its next try, or at the newest one. */
export const readFailingEndpoints = async (
  { deliveries }: FailingEndpointFeatures,
  organizationId: string,
  endpoints: readonly Endpoint[],
  counts: readonly DeliveryCount[],
): Promise<readonly FailingEndpoint[]> => {
  const found = endpoints.map(async (endpoint): Promise<FailingEndpoint> => {
    const { endpointId, failing: newest } = endpoint
    const own = counts.filter(one => one.endpointId === endpointId)
    const sum = (fits: (one: DeliveryCount) => boolean) => own.filter(fits).reduce((all, one) => all + one.count, 0)
    const failing = sum(({ state, isTried }) => state === 'waiting' && isTried)
    const last = newest && (await findOrUndefined(() => deliveries.find(organizationId, newest.deliveryId)))
    const query = { endpointId, state: 'waiting', isTried: true, limit: 1 } as const
    const [other] = failing > 0 && !last ? await deliveries.list(organizationId, query) : []
    return { endpoint, failing, dropped: sum(({ state }) => state === 'dropped'), last: last ?? other }
  })
  return (await Promise.all(found)).filter(
    ({ endpoint, failing }) => failing > 0 || endpoint.failing || endpoint.disabled,
  )
}

/** Returns in words what an endpoint does not take: how many deliveries, the last try, and the next. */
export const failingDetails = (
  organizationId: string,
  { endpoint: { disabled }, failing, dropped, last }: FailingEndpoint,
): Html => {
  const parts = [
    ...(failing > 0 ? [`${failing} ${failing === 1 ? 'delivery waits' : 'deliveries wait'}`] : []),
    ...(dropped > 0 ? [`${dropped} given up`] : []),
  ]
  const counted = parts.length === 0 ? '' : `${parts.join(', ')}. `
  if (disabled || !last) return html`${disabled ? `${disabled.reason} ` : ''}${counted}`
  return html`${counted}<a href="${portalPaths.delivery(organizationId, last.deliveryId)}">${last.message.type}</a>: ${triesOf(last, 'sentence')}${last.dueAt === undefined ? '' : html`, next ${timestamp(last.dueAt)}`}.`
}

/** Returns the buttons by which the failing deliveries of an endpoint, and those that were given up, are sent again. */
export const resendButtons = (
  organizationId: string,
  { endpoint: { endpointId, disabled }, failing, dropped }: FailingEndpoint,
): Html | '' => {
  const here = portalPaths.endpoint(organizationId, endpointId)
  if (disabled) return html`<a class="button quiet" href="${here}">Open it</a>`
  const form = (state: 'failing' | 'dropped', button: Html) =>
    html`<form method="post" action="${here}/resend"><input type="hidden" name="state" value="${state}">${button}</form>`
  return html`<div class="buttons">${failing > 0 ? form('failing', html`<button class="button" data-testid="resend-failing">${failing === 1 ? 'Send it again' : `Send ${failing} again`}</button>`) : ''}
${dropped > 0 ? form('dropped', html`<button class="button" data-testid="resend-given-up">Send ${dropped} given up again</button>`) : ''}</div>`
}
