import { countdown } from '../countdown.ts'
import type { Html } from '../layout.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say } from '../text-lookup-by-language.ts'

const DECISION_SECONDS = 45

/** Returns the countdown of a payment on a BLIK phone: the time left for the shopper, then for the bank (R6). */
export const timeToDecide = (say: Say, payment: ShopperPayment): Html =>
  countdown({
    testId: 'blik-countdown',
    label: say(payment.confirming ? 'bankLeft' : 'askLeft'),
    ...payment,
    wholeInSeconds: DECISION_SECONDS,
  })
