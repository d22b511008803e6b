import { FormError } from '../forms/form-result.ts'
import { findPaymentIds, type PaymentIdFeatures } from './find-payment-ids.ts'
import type { PaymentCriteria } from './payment-filter-form.ts'

/**
 * Reads the criteria of the portal's list of payments as control has them: an amount such as 19.99 in minor units, and
 * the whole id for the end of one. Throws FormError.
 */
export const readPaymentCriteria = async (
  features: PaymentIdFeatures,
  organizationId: string,
  criteria: PaymentCriteria,
): Promise<PaymentCriteria> => ({
  ...criteria,
  transactionId: criteria.transactionId && (await wholeId(features, organizationId, criteria.transactionId)),
  amountFrom: minorUnits('amountFrom', criteria.amountFrom),
  amountTo: minorUnits('amountTo', criteria.amountTo),
})

/** The id that a text names by its end; the text itself where it names none, which then fits no payment. */
const wholeId = async (features: PaymentIdFeatures, organizationId: string, text: string): Promise<string> => {
  const [id = text, ...others] = await findPaymentIds(features, organizationId, text, 'ids')
  if (others.length === 0) return id
  const sentence = `${others.length + 1} payments have an id that ends in "${text.slice(0, 40)}": give more of it.`
  throw new FormError(sentence, 'transactionId')
}

const minorUnits = (name: 'amountFrom' | 'amountTo', text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const [, whole, cents = ''] = /^(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(text) ?? []
  if (whole !== undefined) return String(Number(`${whole}${cents.padEnd(2, '0')}`))
  throw new FormError(`${name} is "${text.slice(0, 40)}": give an amount such as 19.99.`)
}
