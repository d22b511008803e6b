import { findOrUndefined } from '../forms/form-result.ts'
import { findPaymentIds, type PaymentIdFeatures } from '../payments/find-payment-ids.ts'
import type { DeliveryList } from './deliveries-section.ts'
import { type DeliveryCount, type DeliveryQuery, type DeliveryView, inState, SHOWN_STATES } from './delivery-view.ts'
import { type ResendCount, readBulkResend } from './resend-outcome.ts'

/** Features of the simulator from which the portal's lists of webhook deliveries are read. */
export type DeliveryListFeatures = PaymentIdFeatures & {
  deliveries: {
    list(organizationId: string, query: DeliveryQuery): Promise<readonly DeliveryView[]>
    count(organizationId: string): Promise<readonly DeliveryCount[]>
    find(organizationId: string, deliveryId: string): Promise<DeliveryView>
    outcomeOfResend(organizationId: string, at: number): Promise<ResendCount>
  }
}

type Asked = {
  /** The query of the page, or what a form of it had. */
  asked: Readonly<Record<string, string>>
  endpointId?: string
  limit: number
}

/** Reads the page of webhook deliveries that an address of the portal asks for, with what came of a resend. */
export const listDeliveries = async (
  features: DeliveryListFeatures,
  organizationId: string,
  { asked, endpointId, limit }: Asked,
): Promise<DeliveryList> => {
  const { deliveries } = features
  const [state, before] = [SHOWN_STATES.find(one => one === asked.state), asked.before || undefined]
  const transactionId = await paymentsNamed(features, organizationId, asked.transactionId)
  const query = { endpointId, transactionId, before, ...inState(state), limit: limit + 1 }
  const [found, counts] = await Promise.all([deliveries.list(organizationId, query), deliveries.count(organizationId)])
  const shown = found.slice(0, limit)
  const resend = readBulkResend(asked)
  return {
    deliveries: await withResent(features, organizationId, { shown, query }, asked.again),
    counts: counts.filter(one => (endpointId ?? one.endpointId) === one.endpointId),
    state,
    before,
    transactionId: asked.transactionId?.trim() || undefined,
    paymentId: transactionId?.length === 1 ? transactionId[0] : undefined,
    resent: asked.again,
    outcome: resend && { ...resend, ...(await deliveries.outcomeOfResend(organizationId, resend.since)) },
    older: found.length > limit ? shown.at(-1)?.deliveryId : undefined,
  }
}

/** Finds the payments that the field of a filter names; undefined where it is empty. */
export const paymentsNamed = async (
  features: PaymentIdFeatures,
  organizationId: string,
  text = '',
): Promise<readonly string[] | undefined> =>
  text.trim() === '' ? undefined : findPaymentIds(features, organizationId, text.trim())

/** Adds the delivery that was resent from its row where it fits the filter no longer, at its place by age. */
const withResent = async (
  { deliveries }: DeliveryListFeatures,
  organizationId: string,
  { shown, query }: { shown: readonly DeliveryView[]; query: DeliveryQuery },
  again: string | undefined,
): Promise<readonly DeliveryView[]> => {
  if (!again || shown.some(({ deliveryId }) => deliveryId === again)) return shown
  const resent = await findOrUndefined(() => deliveries.find(organizationId, again))
  if (!resent) return shown
  const [next] = await deliveries.list(organizationId, { ...query, before: again, limit: 1 })
  const at = shown.findIndex(({ deliveryId }) => deliveryId === next?.deliveryId)
  return at < 0 ? [...shown, resent] : shown.toSpliced(at, 0, resent)
}
