import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { TextKey } from '../text-lookup-by-language.ts'

/** Balances of the invented bank accounts, in minor units: a usual one beside the amount, and one too low. */
const USUAL_BALANCE = 318_462
const POOR_BALANCE = 1_250

// biome-ignore format: a table reads by its columns
export const ACCOUNTS = [
  { id: 'current', name: 'accountCurrent', number: '4107', enough: true  },
  { id: 'savings', name: 'accountSavings', number: '8820', enough: true  },
  { id: 'travel',  name: 'accountTravel',  number: '0356', enough: false },
] as const satisfies readonly { id: string; name: TextKey; number: string; enough: boolean }[]

export type Account = (typeof ACCOUNTS)[number] & { balance: number }

/**
 * Returns the made-up bank accounts of whoever signs in at an IRIS bank: two hold enough for the payment, and one too
 * little.
 */
export const accountsFor = ({ amount }: Pick<ShopperPayment, 'amount'>): readonly Account[] =>
  ACCOUNTS.map((account, place) => ({
    ...account,
    balance: account.enough
      ? Math.min(amount * (place + 1) + USUAL_BALANCE, Number.MAX_SAFE_INTEGER)
      : Math.min(amount - 1, POOR_BALANCE),
  }))
