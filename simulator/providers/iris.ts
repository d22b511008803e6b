import { PROVIDERS } from '../../contracts/protocol/providers-and-capabilities.ts'
import type { Provider } from './provider.ts'

/** Rules of the simulated IRIS provider: its window to confirm, and outcome and code of initiate, charge, a decision and expiry (R7, 7.5). */
export const iris: Provider = {
  id: 'IRIS',
  windowMilliseconds: ({ irisValidity }) => irisValidity,
  redirectPath: '/iris',
  initiate: ({ windowMilliseconds }) => {
    const { shortest, longest } = PROVIDERS.IRIS.window // of 8 to 33 minutes less 3 that the service adds (7.5)
    return shortest <= windowMilliseconds && windowMilliseconds <= longest
      ? { outcome: 'pending' }
      : { outcome: 'declined', code: 'DMSP1109' }
  },
  charge: { outcome: 'approved' },
  shopper: { approve: { outcome: 'approved' }, decline: { outcome: 'declined', code: 'AUTHORISINGPARTYABORTED' } },
  lapse: { outcome: 'lapsed', code: 'TIMEOUT' },
}
