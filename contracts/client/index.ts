/** A merchant's side of the contract: certificate, token, signatures, keys, retries, and verified responses. */

export { isTemporaryDecline } from '../protocol/reason-codes.ts'
export type { ReceivedWebhook } from '../protocol/verify-webhook.ts'
export { CallError, NoResponse, TokenRefused, UnreadableKeySet, UntrustedResponse } from './call-errors.ts'
export { type Credentials, CredentialsError, credentialsFromKit, type Kit, readKit } from './credentials.ts'
export type { Exchange } from './http-exchange.ts'
export {
  createMerchant,
  type Merchant,
  type MerchantOptions,
  type MerchantResponse,
  type Shapes,
} from './merchant-client.ts'
export { BUSY_STATUSES, RETRYABLE_STATUSES } from './retry-policy.ts'
export type { VerifiedWebhook } from './webhook-verifier.ts'
