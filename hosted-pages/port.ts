/**
 * What the hosted pages need from the operator. All times are epoch milliseconds on the organization's clock, which runs
 * `rate` times as fast as real time: 0 where it stands still.
 */
export type PagesPort = {
  /** Names of the organizations, the demo organization first. */
  organizations(): Promise<readonly OrganizationView[]>
  organization(organizationId: string): Promise<OrganizationView | undefined>
  /** Layers of the API that are switched off, in words. */
  layersOff(): readonly string[]
  /** The seed by which answers of the API vary, where they do. */
  seed(): string | undefined
  /** A fresh code in the shopper's bank app (R6). */
  createCode(organizationId: string): Promise<CodeView>
  /** One code and the payment that was pushed to it, if any. */
  code(organizationId: string, codeId: string): Promise<CodeView | undefined>
  /** The payment behind an IRIS redirect URL, by the secret part of its path. */
  redirect(redirectId: string): Promise<ShopperView | undefined>
  /** The shopper decides; a decision that comes too late changes nothing and shows in the view that comes back. */
  decide(organizationId: string, transactionId: string, action: ShopperAction): Promise<ShopperView>
}

export type ShopperAction = 'approve' | 'decline'

export type OrganizationView = { organizationId: string; now: number }

export type CodeView = {
  codeId: string
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
  /** When waiting ends: the 45 s of BLIK (R6), the validity of IRIS (R7). */
  expiresAt: number
  now: number
  rate: number
  returnUrl?: string
  locale?: string
}
