import { LIFETIMES } from '../payments/deadlines.ts'
import type { Provider } from './provider.ts'

/** BLIK: a good code is pushed to the phone that shows it; a wrong, used or expired one fails at once, and so does a
 * payment to be kept at a bank that keeps none (R6, 7.5). */
export const blik: Provider = {
  id: 'BLIK',
  country: 'PL',
  currency: 'PLN',
  windowMilliseconds: () => LIFETIMES.blikWindow,
  redirects: false,
  initiate: ({ code, transactionType, now }) => {
    if (!code || code.transactionId !== undefined || now >= code.expiresAt) return { outcome: 'declined', code: '3001' }
    const kept = transactionType !== 'ONE_TIME'
    return kept && code.recurring === false ? { outcome: 'declined', code: '3004' } : { outcome: 'pending' }
  },
  charge: { outcome: 'approved' },
  shopper: { approve: { outcome: 'approved' }, decline: { outcome: 'declined', code: '3002' } },
  lapse: { outcome: 'lapsed', code: '3003' },
}
