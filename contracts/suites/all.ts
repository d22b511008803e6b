import type { Journey } from '../harness/check.ts'
import { absent } from './absent.ts'
import { answerSignature } from './answer-signature.ts'
import { bearer } from './bearer.ts'
import { charges } from './charges.ts'
import { errors } from './errors.ts'
import { hold } from './hold.ts'
import { idempotency } from './idempotency.ts'
import { idempotencyOfActs } from './idempotency-acts.ts'
import { iris } from './iris.ts'
import { keyLifecycle } from './key-lifecycle.ts'
import { keyScope } from './key-scope.ts'
import { leaks } from './leaks.ts'
import { lifecycle } from './lifecycle-ends.ts'
import { limited } from './limited.ts'
import { limits } from './limits.ts'
import { mockLifetime } from './mock-lifetime.ts'
import { mocks } from './mocks.ts'
import { mtls } from './mtls.ts'
import { polite } from './polite.ts'
import { providerFaults } from './provider-faults.ts'
import { reads } from './reads.ts'
import { reports } from './reports.ts'
import { scopes } from './scopes.ts'
import { searches } from './search.ts'
import { shapes } from './shapes.ts'
import { shoppers } from './shoppers.ts'
import { signature } from './signature.ts'
import { signatureDialect } from './signature-dialect.ts'
import { time } from './time.ts'
import { token } from './token.ts'
import { validation } from './validation.ts'
import { versions } from './versions.ts'
import { webhooks } from './webhooks.ts'
import type { World } from './world.ts'

/** Every journey, in the order in which they are played: what others lean on comes first. */
export const JOURNEYS: readonly Journey<World>[] = [
  ...token.answers,
  ...mtls,
  ...token.reuse,
  ...bearer,
  ...absent,
  ...signature,
  signatureDialect,
  ...keyLifecycle,
  ...answerSignature,
  ...reads,
  ...versions,
  ...validation,
  ...lifecycle,
  ...shoppers,
  iris,
  ...charges,
  ...scopes,
  ...searches,
  ...reports,
  ...idempotency,
  ...idempotencyOfActs,
  keyScope,
  ...webhooks,
  ...mocks,
  ...time,
  mockLifetime,
  hold,
  polite,
  ...errors,
  ...providerFaults,
  limited,
  leaks,
  shapes,
  ...limits,
]
