import type { ProviderId } from './provider-codes.ts'

type ProviderRow = {
  /** Country and currency that it serves (1, 2.2). */
  country: string
  currency: string
  /** Whether the shopper gives the shop a one-time code (2.3). */
  oneTimeCodes: boolean
  /** Shortest and longest time that the shopper may have, in milliseconds (R6, R7). */
  window: { shortest: number; longest: number }
}

/** Payment methods (1): country, currency, whether shoppers use one-time codes, and the shopper's time window. */
// biome-ignore format: a table reads by its columns
export const PROVIDERS = {
  BLIK: { country: 'PL', currency: 'PLN', oneTimeCodes: true,  window: { shortest:  45_000, longest:    45_000 } },
  IRIS: { country: 'GR', currency: 'EUR', oneTimeCodes: false, window: { shortest: 300_000, longest: 1_800_000 } },
} as const satisfies Readonly<Record<ProviderId, ProviderRow>>

export const PROVIDER_IDS = Object.keys(PROVIDERS) as readonly ProviderId[]

/** Capabilities of each payment method (1; D-37 for those the clause does not list one by one). */
// biome-ignore format: a table reads by its columns
export const CAPABILITIES = {
  //                            BLIK         IRIS
  refund:                   { BLIK: true,  IRIS: true  },
  partialRefund:            { BLIK: true,  IRIS: true  },
  multiplePartialRefunds:   { BLIK: true,  IRIS: false },
  laterCapture:             { BLIK: true,  IRIS: false },
  partialCapture:           { BLIK: true,  IRIS: false },
  multiplePartialCaptures:  { BLIK: true,  IRIS: false },
  recurring:                { BLIK: true,  IRIS: false },
  tokenOnly:                { BLIK: true,  IRIS: false },
  incrementalAuthorization: { BLIK: false, IRIS: false },
  disputes:                 { BLIK: true,  IRIS: false },
  splitPayments:            { BLIK: true,  IRIS: false },
} as const satisfies Readonly<Record<string, Record<ProviderId, boolean>>>

export type Capability = keyof typeof CAPABILITIES
export const CAPABILITY_NAMES = Object.keys(CAPABILITIES) as readonly Capability[]

/** Capability that a payment method needs for each transaction type (1). */
export const CAPABILITY_OF_TRANSACTION_TYPE = {
  ONE_TIME: undefined,
  RECURRING: 'recurring',
  TOKEN_ONLY: 'tokenOnly',
} as const satisfies Readonly<Record<string, Capability | undefined>>

export type TransactionType = keyof typeof CAPABILITY_OF_TRANSACTION_TYPE
export const TRANSACTION_TYPES = Object.keys(CAPABILITY_OF_TRANSACTION_TYPE) as readonly TransactionType[]
