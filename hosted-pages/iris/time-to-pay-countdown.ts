import { countdown } from '../countdown.ts'
import type { Html } from '../layout.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say } from '../text-lookup-by-language.ts'

const LONGEST_VALIDITY_SECONDS = 1800

/** Returns the countdown on the IRIS pages of the time for which the payment request is still valid (R7). */
export const timeToPay = (say: Say, { now, rate, expiresAt, confirming }: ShopperPayment): Html =>
  countdown({
    testId: 'iris-countdown',
    label: say(confirming ? 'bankLeft' : 'irisLeft'),
    now,
    rate,
    expiresAt,
    wholeInSeconds: LONGEST_VALIDITY_SECONDS,
  })
