import { paths } from '../shopper-paths.ts'
import { paymentStage } from '../shopper-payment-and-decision.ts'
import type { CodeView } from './phone-and-code-types.ts'

/**
 * Names of further screens of the BLIK bank app for a waiting payment: after a wrong PIN, and whether to save the shop.
 */
export const SCREENS = ['wrong-pin', 'keep'] as const
export type Screen = (typeof SCREENS)[number]

/** Lifetime of a BLIK code in seconds (R6). */
export const CODE_SECONDS = 120

/** Returns the path of the page of a BLIK code on its phone, or of one of its screens. */
export const codePath = (
  { organizationId, phoneId = '', codeId }: Pick<CodeView, 'organizationId' | 'phoneId' | 'codeId'>,
  screen?: Screen,
): string =>
  `${paths.phone(organizationId, phoneId)}/codes/${encodeURIComponent(codeId)}${screen ? `?screen=${screen}` : ''}`

/** Returns the stage of a BLIK code: it waits until it expires (R6); once a shop used it, the payment decides. */
export function stageOf({ payment, now, rate, expiresAt }: CodeView) {
  if (payment)
    return { stage: paymentStage(payment), payment, now: payment.now, rate: payment.rate, expiresAt: payment.expiresAt }
  return { stage: now < expiresAt ? 'code' : 'code-expired', now, rate, expiresAt } as const
}

export type Stage = ReturnType<typeof stageOf>['stage']
