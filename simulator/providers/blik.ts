import { PROVIDERS } from '../../contracts/protocol/providers-and-capabilities.ts'
import type { Provider } from './provider.ts'

/** Simulated BLIK provider: declines a wrong, used or expired code and a mandate without bank support (R6, 7.5). */
export const blik: Provider = {
  id: 'BLIK',
  windowMilliseconds: () => PROVIDERS.BLIK.window.longest,
  redirectPath: undefined,
  initiate: ({ code, transactionType, now }) => {
    if (!code || code.transactionId !== undefined || now >= code.expiresAt) return { outcome: 'declined', code: '3001' }
    const kept = transactionType !== 'ONE_TIME'
    return kept && code.recurring === false ? { outcome: 'declined', code: '3004' } : { outcome: 'pending' }
  },
  charge: { outcome: 'approved' },
  shopper: { approve: { outcome: 'approved' }, decline: { outcome: 'declined', code: '3002' } },
  lapse: { outcome: 'lapsed', code: '3003' },
}
