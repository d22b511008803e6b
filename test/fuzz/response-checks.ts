import { type ErrorBody, errorBodyProblem, signatureErrorOf } from '../support/api-response-checks.ts'
import type { RawResponse } from '../support/raw-http.ts'
import type { RawSandbox } from '../support/raw-request-sandbox.ts'
import { reportedErrors } from './fuzz-fixture.ts'

/** Statuses of the contract that nobody has to ask for (7.1). */
const STATUSES = [200, 400, 401, 403, 404, 409, 413, 422, 423, 429, 501]

/** An answer without a body, as chunks tell it. */
const NO_CHUNKS = '0\r\n\r\n'

/**
 * Checks any API response to a fuzzed request: status, error envelope, message, signature. Returns the problem, or
 * undefined.
 */
export const apiResponseProblem = async (response: RawResponse, sandbox: RawSandbox): Promise<string | undefined> => {
  const fault = reportedErrors(sandbox)
  if (fault) return fault
  const answer = response.body.toString() === NO_CHUNKS ? { ...response, body: Buffer.alloc(0) } : response
  if (!STATUSES.includes(answer.status)) return `status ${answer.status}: ${answer.body.toString().slice(0, 200)}`
  const signature = await signatureErrorOf(answer, sandbox.keySet)
  if (signature) return `the answer's signature: ${signature}`
  if (answer.status === 200 || answer.body.length === 0) return undefined
  return errorBodyProblem(answer) ?? sentenceProblem((answer.json() as ErrorBody).statusInfo.message)
}

/** Checks that a message to a fuzzed input is one line of readable text; returns the problem, or undefined. */
export const sentenceProblem = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[^\n\r\0]{5,3000}[.?]$/.test(text)
    ? undefined
    : `no sentence: ${JSON.stringify(text)?.slice(0, 300)}`

/** Checks a message about the user's own fuzzed files, which may quote names and texts of any length. */
export const adviceProblem = (text: string): string | undefined =>
  sentenceProblem(text.replaceAll(/[\r\n\0]/g, ' ').slice(-1_000))
