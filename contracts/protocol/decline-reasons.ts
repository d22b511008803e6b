/**
 * Usual decline reasons for which 7.5 has no provider code, with the reasonCode and message of `statusInfo`. The
 * families are those of 7.2; the codes are ours (D-104).
 */
// biome-ignore format: a table reads by its columns
export const DECLINES = {
  INSUFFICIENT_FUNDS:    { reasonCode: '1001', message: 'There is not enough money on the account' },
  DAILY_LIMIT_EXCEEDED:  { reasonCode: '1002', message: 'The daily limit of the account would be exceeded' },
  AMOUNT_LIMIT_EXCEEDED: { reasonCode: '1003', message: 'The amount is above the limit for one payment' },
  DECLINED_BY_BANK:      { reasonCode: '1010', message: 'The bank declined the payment without giving a reason' },
  ACCOUNT_BLOCKED:       { reasonCode: '1011', message: 'The account of the payer is blocked' },
  ACCOUNT_CLOSED:        { reasonCode: '1012', message: 'The account of the payer is closed' },
  RISK_REJECTED:         { reasonCode: '1020', message: 'The payment was rejected as too risky' },
  VELOCITY_EXCEEDED:     { reasonCode: '1021', message: 'Too many payments by this payer in a short time' },
  SHOPPER_ABANDONED:     { reasonCode: '2010', message: 'The shopper left without deciding' },
  AUTHENTICATION_FAILED: { reasonCode: '2011', message: 'The shopper could not prove who they are' },
  DUPLICATE_PAYMENT:     { reasonCode: '3010', message: 'The bank takes the payment for a duplicate of an earlier one' },
  TOKEN_UNKNOWN:         { reasonCode: '4010', message: 'The bank does not know the payment token' },
  TOKEN_REVOKED:         { reasonCode: '5011', message: 'The payer took the consent back' },
  TOKEN_EXPIRED:         { reasonCode: '5012', message: 'The consent of the payer has ended' },
  CAPTURE_REFUSED:       { reasonCode: '5020', message: 'The authorization can no longer be captured' },
  CANCEL_REFUSED:        { reasonCode: '5021', message: 'The authorization can no longer be canceled' },
  REFUND_REFUSED:        { reasonCode: '5022', message: 'The bank does not take the refund back for the payer' },
  SECURITY_BLOCK:        { reasonCode: '6010', message: 'The payment was stopped for security reasons' },
  SUSPECTED_FRAUD:       { reasonCode: '6011', message: 'The bank suspects fraud' },
  BANK_TIMEOUT:          { reasonCode: '8010', message: 'The bank did not answer in time' },
  BANK_UNAVAILABLE:      { reasonCode: '8011', message: 'The bank cannot be reached' },
  BANK_SYSTEM_ERROR:     { reasonCode: '8012', message: 'The system of the bank failed' },
  PROCESSING_ERROR:      { reasonCode: '9010', message: 'The payment could not be processed' },
} as const satisfies Record<string, { reasonCode: string; message: string }>

export type DeclineName = keyof typeof DECLINES
