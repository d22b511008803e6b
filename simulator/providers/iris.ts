import { LIFETIMES } from '../payments/deadlines.ts'
import type { Provider } from './provider.ts'

/** IRIS: every request is registered; the shopper has until its validity ends to pick a bank and confirm (R7, 7.5). */
export const iris: Provider = {
  id: 'IRIS',
  country: 'GR',
  currency: 'EUR',
  windowMilliseconds: ({ irisValidity }) => irisValidity,
  redirects: true,
  initiate: ({ windowMilliseconds }) => {
    const validity = windowMilliseconds + LIFETIMES.irisMargin
    const accepted = LIFETIMES.irisShortest <= validity && validity <= LIFETIMES.irisLongest
    return accepted ? { outcome: 'pending' } : { outcome: 'declined', code: 'DMSP1109' }
  },
  charge: { outcome: 'declined', code: 'DMSP1140' },
  shopper: { approve: { outcome: 'approved' }, decline: { outcome: 'declined', code: 'AUTHORISINGPARTYABORTED' } },
  lapse: { outcome: 'lapsed', code: 'TIMEOUT' },
}
