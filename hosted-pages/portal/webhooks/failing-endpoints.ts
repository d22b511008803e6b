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

/**
 * Reads which of an organization's endpoints are disabled or fail: with a delivery that waits for its next try, at the
 * newest try, or at all that were ever made.
 */
export const readFailingEndpoints = async (
  { deliveries }: FailingEndpointFeatures,
  organizationId: string,
  endpoints: readonly Endpoint[],
  counts: readonly DeliveryCount[],
): Promise<readonly FailingEndpoint[]> => {
  const lastOf = async ({ endpointId, failing }: Endpoint, state: 'waiting' | 'dropped') => {
    const newest = failing && (await findOrUndefined(() => deliveries.find(organizationId, failing.deliveryId)))
    return newest ?? (await deliveries.list(organizationId, { endpointId, state, isTried: true, limit: 1 }))[0]
  }
  const found = endpoints.map(async (endpoint): Promise<FailingEndpoint[]> => {
    const own = counts.filter(({ endpointId }) => endpointId === endpoint.endpointId)
    const sum = (state: DeliveryCount['state'], tried = [true]) =>
      own.filter(one => one.state === state && tried.includes(one.isTried)).reduce((all, one) => all + one.count, 0)
    const [failing, dropped] = [sum('waiting'), sum('dropped', [true, false])]
    const isFailing = failing > 0 || endpoint.failing || (sum('dropped') > 0 && sum('delivered') === 0)
    if (!isFailing && !endpoint.disabled) return []
    const last = isFailing ? await lastOf(endpoint, failing > 0 ? 'waiting' : 'dropped') : undefined
    return [{ endpoint, failing, dropped, last }]
  })
  return (await Promise.all(found)).flat()
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
