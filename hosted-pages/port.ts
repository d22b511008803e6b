/** Some of many: those whose id has the text in it, in the order in which they came, from a place on. */
export type Wanted = { text: string; from: number; limit: number }
/** `fitting` have the text in their id, whether they are among those found or not. */
export type Found<Organization> = { found: readonly Organization[]; fitting: number; all: number }

/**
 * What the hosted pages need from the operator. All times are epoch milliseconds on the organization's clock, which runs
 * `rate` times as fast as real time: 0 where it stands still.
 */
export type PagesPort = {
  /** The demo organization is the first of all. */
  organizations(wanted: Wanted): Promise<Found<OrganizationView>>
  organization(organizationId: string): Promise<OrganizationView | undefined>
  /** Layers of the API that are switched off, in words. */
  layersOff(): readonly string[]
  /** The address at which others reach the pages, where one is configured. */
  pagesUrl(): string | undefined
  /** The seed by which answers of the API vary, where they do. */
  seed(): string | undefined
  /** The banks whose apps a phone can have. */
  blikBanks(): readonly BlikBankView[]
  /** A new phone with the app of one of them; undefined where there is no such bank. */
  createPhone(organizationId: string, bankId: string): Promise<PhoneView | undefined>
  phone(organizationId: string, phoneId: string): Promise<PhoneView | undefined>
  /** A fresh code in the bank app of a phone (R6). */
  createCode(organizationId: string, phoneId: string): Promise<CodeView>
  /** One code and the payment that was pushed to it, if any. */
  code(organizationId: string, codeId: string): Promise<CodeView | undefined>
  /** The payment behind an IRIS redirect URL, by the secret part of its path. */
  redirect(redirectId: string): Promise<ShopperView | undefined>
  /** The shopper decides; a decision that comes too late changes nothing and shows in the view that comes back. */
  decide(
    organizationId: string,
    transactionId: string,
    action: ShopperAction,
    how?: ShopperChoice,
  ): Promise<ShopperView>
  /** The shopper takes the consent back that a shop kept. */
  revoke(organizationId: string, paymentToken: string): Promise<void>
}

/** A yes, a no, or nothing until the time is up. */
export type ShopperAction = 'approve' | 'decline' | 'lapse'

export type ShopperChoice = {
  /** Why the bank declines, where it is not the shopper who does. */
  cause?: BankCause
  /** Whether the shop may keep the shopper, where it asks for that. */
  keep?: boolean
  /** How many milliseconds the bank is at work before a yes counts. */
  after?: number
  /** The shopper closes the window after a yes, and never returns to the shop. */
  leaves?: boolean
}

/** What a bank can have against a payment, as the pages offer it. */
export type BankCause = 'INSUFFICIENT_FUNDS' | 'AMOUNT_LIMIT_EXCEEDED'

export type BlikBankView = {
  id: string
  name: string
  /** The end of the account number from which payments are taken. */
  account: string
  keepsShops: boolean
}

/** A phone: whoever knows its id holds it. */
export type PhoneView = {
  phoneId: string
  organizationId: string
  bank: BlikBankView
  shops: readonly KeptShop[]
}

/** A shop that may ask for payments without the shopper, until that is revoked or ends (1). */
export type KeptShop = {
  paymentToken: string
  payee: string
  /** The shopper's number at the shop. */
  payerId: string
  keptAt: number
  standing: 'valid' | 'revoked' | 'expired'
}

export type OrganizationView = {
  organizationId: string
  now: number /** 1 where left out: real pace. */
  rate?: number
}

export type CodeView = {
  codeId: string
  /** The phone that shows it, where one does. */
  phoneId?: string
  organizationId: string
  /** Six digits. */
  code: string
  expiresAt: number
  now: number
  rate: number
  payment?: ShopperView
}

/** A payment as the shopper's bank shows it. */
export type ShopperView = {
  organizationId: string
  transactionId: string
  payee: string
  /** Minor units. */
  amount: number
  currency: string
  description: string
  /** Whether the shop asks to be kept for later payments, with a payment now or without one (1). */
  transactionType: 'ONE_TIME' | 'RECURRING' | 'TOKEN_ONLY'
  outcome: 'waiting' | 'approved' | 'declined' | 'expired'
  /** The shopper has said yes, and the bank is at work: nothing more can be decided. */
  confirming?: true
  /** The name of the bank's reason, where it was the bank that declined. */
  cause?: string
  /** False where the shopper paid and did not consent to be kept. */
  keeps?: boolean
  /** When waiting ends: the 45 s of BLIK (R6), the validity of IRIS (R7). */
  expiresAt: number
  now: number
  rate: number
  returnUrl?: string
  locale?: string
}
