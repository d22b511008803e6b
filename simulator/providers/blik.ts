import { LIFETIMES } from '../payments/deadlines.ts'
import type { Provider } from './provider.ts'

/** BLIK: a good code is pushed to the phone that shows it; a wrong, used or expired one fails at once (R6, 7.5). */
export const blik: Provider = {
  id: 'BLIK',
  windowMilliseconds: LIFETIMES.blikWindow,
  redirects: false,
  initiate: ({ code, now }) =>
    code && code.transactionId === undefined && now < code.expiresAt
      ? { outcome: 'pending' }
      : { outcome: 'declined', code: '3001' },
  shopper: { approve: { outcome: 'approved' }, decline: { outcome: 'declined', code: '3002' } },
  lapse: { outcome: 'lapsed', code: '3003' },
}
