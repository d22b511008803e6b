import { CredentialsError } from '../../client/credentials.ts'
import { ProfileError } from '../profile/read-profile.ts'
import { EXIT_CODES } from '../report/exit-codes.ts'

/** Error in the options or operands of a command; one sentence with its cure. */
export class UsageError extends Error {}

/** Error that prevents unsafe calls, such as to an unconfirmed production host; one sentence with its cure. */
export class UnsafeError extends Error {}

/** Error of a command that can measure nothing; one sentence with its cure. */
export class UnmeasuredError extends Error {}

/** Error when no service responds at a profile's base URL; one sentence with its cure. */
export class UnreachableError extends UnmeasuredError {}

/** Error of a signing key or a certificate of conformance that the user can correct; one sentence with its cure. */
export class ConformanceCertificateError extends Error {}

/** Returns the exit code of an error that the user can correct; undefined for any other error. */
export const exitCodeOfError = (error: unknown): number | undefined => {
  if (error instanceof UnsafeError) return EXIT_CODES.safety
  if (error instanceof ConformanceCertificateError) return EXIT_CODES.invalid
  if (error instanceof UnmeasuredError) return EXIT_CODES.unmeasured
  const known = error instanceof UsageError || error instanceof ProfileError || error instanceof CredentialsError
  return known ? EXIT_CODES.usage : undefined
}
