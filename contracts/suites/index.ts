import type { CheckScenario } from '../harness/judge/check.ts'
import { actsOutOfOrder } from './acts-out-of-order.ts'
import { authorizationExpiry } from './authorization-expiry.ts'
import { bearerToken, tokenReuse } from './bearer-token.ts'
import { cancelBeforeAuthorization } from './cancel-before-authorization.ts'
import { capturesAndCancels } from './captures-and-cancels.ts'
import { chargesWithoutMandate } from './charges-without-mandate.ts'
import { codesOfRefusals } from './codes-of-refusals.ts'
import type { CheckContext } from './context/check-context.ts'
import { declinesOfLaterSteps } from './declines-of-later-steps.ts'
import { endpointsThatMustNotExist } from './endpoints-that-must-not-exist.ts'
import { errorResponses } from './error-responses.ts'
import { expiryOfIdempotencyKeys } from './expiry-of-idempotency-keys.ts'
import { expiryOfPaymentsTokensAndIdempotencyKeys } from './expiry-of-payments-tokens-and-idempotency-keys.ts'
import { freeTextAndOptionalMembers } from './free-text-and-optional-members.ts'
import { fullLifecycle } from './full-lifecycle.ts'
import { GRIDS } from './grid/index.ts'
import { idempotencyKeyScope, missingIdempotencyKeys } from './idempotency-key-scope-and-missing-keys.ts'
import { initiateReplays } from './initiate-replays.ts'
import { initiateValidation } from './initiate-validation.ts'
import { irisLifecycle } from './iris-lifecycle.ts'
import { iris } from './iris-page-and-validity.ts'
import { keysOnReads } from './keys-on-reads.ts'
import { charges } from './mandate-charges.ts'
import { mockExpiry } from './mock-expiry.ts'
import { mockMatching } from './mock-matching.ts'
import { mockResponses } from './mock-responses.ts'
import { mockSetAuthenticationAndValidation } from './mock-set-authentication-and-validation.ts'
import { mockUsesPerStep } from './mock-uses-per-step.ts'
import { mtls } from './mtls.ts'
import { acceptedSignatureVariants } from './observe-accepted-signature-variants.ts'
import { operationReplays } from './operation-replays.ts'
import { providerCodeMapping } from './provider-code-mapping.ts'
import { pollingInterval, rateAndSizeLimits, rateLimitedRetry } from './rate-and-size-limits.ts'
import { reports } from './report-endpoints.ts'
import { requestSignatures, signaturesOfSearches } from './request-signatures.ts'
import { fieldsKeptSinceEarlierRun } from './response-fields-kept-since-earlier-run.ts'
import { responseSignatures } from './response-signatures-and-key-set.ts'
import { retriesAfterFaults } from './retries-after-faults.ts'
import { operationScopes, readScopes } from './scopes.ts'
import { searchAndProviders } from './search-and-providers.ts'
import { secretLeaks } from './secret-leaks.ts'
import { serviceVersions } from './service-versions.ts'
import { settlementOfParts } from './settlement-of-parts.ts'
import { consentExpiry } from './shopper-consent-expiry.ts'
import { shopperDecisions } from './shopper-decisions.ts'
import { signaturesOfAllResponses } from './signatures-of-all-responses.ts'
import { signingKeys } from './signing-keys.ts'
import { statusAndEvents } from './status-and-events.ts'
import { declinesThatMayPass } from './temporary-declines.ts'
import { tokenEndpoint } from './token-endpoint.ts'
import { tokenResponse } from './token-response.ts'
import { twoPaymentsOfOneReference } from './two-payments-of-one-reference.ts'
import {
  operationsOnUnknownPayments,
  readsOfForeignPayment,
  readsOfUnknownPayment,
} from './unknown-and-foreign-payments.ts'
import { voidedAuthorization } from './voided-authorization.ts'
import { webhooks } from './webhooks.ts'
import { webhooksOfEnds } from './webhooks-of-declines-and-lapses.ts'

/** Every scenario of the suites in execution order; control checks come before the checks that name them. */
export const CHECK_SCENARIOS: readonly CheckScenario<CheckContext>[] = [
  tokenResponse,
  ...tokenEndpoint,
  ...mtls,
  tokenReuse,
  bearerToken,
  endpointsThatMustNotExist,
  ...requestSignatures,
  acceptedSignatureVariants,
  ...signingKeys,
  ...responseSignatures,
  readsOfUnknownPayment,
  statusAndEvents,
  readsOfForeignPayment,
  readScopes,
  serviceVersions,
  ...initiateValidation,
  freeTextAndOptionalMembers,
  voidedAuthorization,
  fullLifecycle,
  actsOutOfOrder,
  ...cancelBeforeAuthorization,
  ...capturesAndCancels,
  operationsOnUnknownPayments,
  shopperDecisions,
  iris,
  irisLifecycle,
  ...charges,
  ...settlementOfParts,
  chargesWithoutMandate,
  operationScopes,
  ...searchAndProviders,
  twoPaymentsOfOneReference,
  signaturesOfSearches,
  reports,
  ...initiateReplays,
  keysOnReads,
  missingIdempotencyKeys,
  ...operationReplays,
  idempotencyKeyScope,
  ...webhooks,
  ...webhooksOfEnds,
  ...mockSetAuthenticationAndValidation,
  mockMatching,
  mockUsesPerStep,
  mockResponses,
  expiryOfPaymentsTokensAndIdempotencyKeys,
  expiryOfIdempotencyKeys,
  mockExpiry,
  authorizationExpiry,
  consentExpiry,
  pollingInterval,
  errorResponses,
  providerCodeMapping,
  declinesOfLaterSteps,
  declinesThatMayPass,
  retriesAfterFaults,
  rateLimitedRetry,
  fieldsKeptSinceEarlierRun,
  ...GRIDS,
  signaturesOfAllResponses,
  codesOfRefusals,
  secretLeaks,
  ...rateAndSizeLimits,
]
