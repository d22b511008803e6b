import type { Journey } from '../harness/check.ts'
import { answerSignature } from './answer-signature.ts'
import { bearer } from './bearer.ts'
import { idempotency } from './idempotency.ts'
import { idempotencyOfActs } from './idempotency-acts.ts'
import { lifecycle } from './lifecycle-ends.ts'
import { mtls } from './mtls.ts'
import { reads } from './reads.ts'
import { scopes } from './scopes.ts'
import { shoppers } from './shoppers.ts'
import { signature } from './signature.ts'
import { signatureDialect } from './signature-dialect.ts'
import { time } from './time.ts'
import { token } from './token.ts'
import { validation } from './validation.ts'
import type { World } from './world.ts'

/** Every journey, in the order in which they are played: what others lean on comes first. */
export const JOURNEYS: readonly Journey<World>[] = [
  ...token.answers,
  ...mtls,
  ...token.reuse,
  ...bearer,
  ...signature,
  signatureDialect,
  ...answerSignature,
  ...reads,
  ...validation,
  ...lifecycle,
  ...shoppers,
  ...scopes,
  ...idempotency,
  ...idempotencyOfActs,
  ...time,
]
