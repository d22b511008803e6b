export type { ReceivedWebhook, WebhookVerdict } from '../protocol/verify-webhook.ts'
/** A merchant's side of the contract: certificate, token, signatures, keys, retries, and answers that are verified. */
export { CallError, NoAnswer, TokenRefused, UntrustedAnswer } from './call-error.ts'
export { type Credentials, CredentialsError, credentialsFromKit, type Kit, readKit } from './credentials.ts'
export type { Exchange } from './exchange.ts'
export { type Answer, createMerchant, type Merchant, type MerchantOptions, type Shapes } from './merchant.ts'
export { RETRIED_BY_RULE, WORTH_RETRYING } from './patience.ts'
