/** A one-time BLIK code of the simulated bank app (R6); `expiresAt` on the organization's clock. */
export type BlikCode = {
  codeId: string
  code: string
  expiresAt: number
  transactionId?: string
  /** Whether its bank supports mandates (7.5 code 3004); absent means yes. */
  recurring?: boolean
  /** The simulated phone that shows it; absent for a code created through control. */
  phoneId?: string
}
