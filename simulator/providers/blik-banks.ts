/**
 * Fictitious banks whose apps show BLIK codes. A bank without `keepsShops` supports no mandates (7.5 code 3004).
 * `account` is the last four digits of the shopper's account number.
 */
// biome-ignore format: a table reads by its columns
export const BLIK_BANKS = [
  { id: 'modrzew',   name: 'Bank Modrzew',   account: '4821', keepsShops: true  },
  { id: 'jaskolka',  name: 'Bank Jaskółka',  account: '0937', keepsShops: true  },
  { id: 'jarzebina', name: 'Bank Jarzębina', account: '6150', keepsShops: true  },
  { id: 'rumianek',  name: 'Bank Rumianek',  account: '2274', keepsShops: false },
  { id: 'zuraw',     name: 'Bank Żuraw',     account: '7708', keepsShops: false },
] as const

export type BlikBank = (typeof BLIK_BANKS)[number]

/** A shopper's simulated BLIK phone as stored, with the app of one bank; its id is the only credential. */
export type Phone = { phoneId: string; bankId: BlikBank['id'] }

/** Returns the invented bank whose app a BLIK phone has. */
export const bankOfPhone = ({ bankId }: Phone): BlikBank => BLIK_BANKS.find(({ id }) => id === bankId) ?? BLIK_BANKS[0]
