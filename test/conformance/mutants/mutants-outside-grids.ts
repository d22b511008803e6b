import { ASSORTED_MUTANTS } from './assorted-mutants.ts'
import { BASIC_MUTANTS } from './basic-mutants.ts'
import { CERTIFICATE_AND_KEY_MUTANTS } from './certificate-and-key-mutants.ts'
import { CHARGE_MUTANTS } from './charge-mutants.ts'
import { ERROR_RESPONSE_MUTANTS } from './error-response-mutants.ts'
import { IDEMPOTENCY_MUTANTS } from './idempotency-mutants.ts'
import { LIFECYCLE_MUTANTS } from './lifecycle-mutants.ts'
import { LIMIT_MUTANTS } from './limit-mutants.ts'
import { MOCK_MUTANTS } from './mock-mutants.ts'
import type { Mutant } from './mutant.ts'
import { PARTS_OF_EACH_KIND_MUTANTS } from './parts-of-each-kind-mutants.ts'
import { READ_MUTANTS } from './read-mutants.ts'
import { SIGNATURE_MUTANTS } from './signature-mutants.ts'
import { TIME_MUTANTS } from './time-mutants.ts'
import { TLS_MUTANTS } from './tls-mutants.ts'
import { TOKEN_MUTANTS } from './token-mutants.ts'
import { VALIDATION_MUTANTS } from './validation-mutants.ts'
import { VERSION_MUTANTS } from './version-mutants.ts'
import { WEBHOOK_MUTANTS } from './webhook-mutants.ts'

/** Every mutant outside the grids; those of grid cells are in grid-mutants.ts. */
export const MUTANTS: readonly Mutant[] = [
  ...BASIC_MUTANTS,
  ...CHARGE_MUTANTS,
  ...READ_MUTANTS,
  ...CERTIFICATE_AND_KEY_MUTANTS,
  ...ERROR_RESPONSE_MUTANTS,
  ...MOCK_MUTANTS,
  ...WEBHOOK_MUTANTS,
  ...IDEMPOTENCY_MUTANTS,
  ...ASSORTED_MUTANTS,
  ...LIFECYCLE_MUTANTS,
  ...PARTS_OF_EACH_KIND_MUTANTS,
  ...LIMIT_MUTANTS,
  ...SIGNATURE_MUTANTS,
  ...TIME_MUTANTS,
  ...TLS_MUTANTS,
  ...TOKEN_MUTANTS,
  ...VALIDATION_MUTANTS,
  ...VERSION_MUTANTS,
]
