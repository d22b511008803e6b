import { LIFETIMES } from '../payments/deadlines.ts'
import type { Provider } from './provider.ts'

/** IRIS: every request is registered; the shopper has until its validity ends to pick a bank and confirm (R7, 7.5). */
export const iris: Provider = {
  id: 'IRIS',
  country: 'GR',
  currency: 'EUR',
  windowMilliseconds: LIFETIMES.irisValidity,
  redirects: true,
  initiate: () => ({ outcome: 'pending' }),
  charge: { outcome: 'declined', code: 'DMSP1140' },
  shopper: { approve: { outcome: 'approved' }, decline: { outcome: 'declined', code: 'AUTHORISINGPARTYABORTED' } },
  lapse: { outcome: 'lapsed', code: 'TIMEOUT' },
}
