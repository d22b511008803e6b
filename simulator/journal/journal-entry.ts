import type { OperationName } from '../../contracts/operations.ts'
import type { RefusingLayer } from '../support/refusal.ts'

/** Journal entry of one API request and its response, with secrets masked. */
export type JournalEntry = {
  callId: string
  /** Real time of the response, ISO 8601. */
  at: string
  /** When the request arrived, on the organization's clock, ISO 8601. */
  clock?: string
  durationMilliseconds: number
  organizationId?: string
  operation?: OperationName
  /** `bodyBase64` is present if the body is not UTF-8. */
  request: { method: string; target: string; headers: Record<string, string>; body: string; bodyBase64?: string }
  response: { status: number; headers: Record<string, string>; body: string }
  /** What the bodies say in our own members, where the organization speaks another dialect. */
  document?: { request: string; response: string }
  /** The layer that refused, the reason, and the diagnosis that only the operator sees. */
  refused?: { layer: RefusingLayer; reason: string; [more: string]: string }
  /** Members of the request that its operation does not have, and the nearest that it has (D-46). */
  unknown?: readonly { member: string; nearest?: string }[]
  /** The key that signed the request, and the reading and encoding by which its signature verified. */
  signature?: { keyId: string; reading: string; encoding: string }
  replayed?: true
  /** The scenario that was applied and how it was selected; every mock compared, with the first difference. */
  script?: object
  /** Kinds of conformant variation that the call had, with --variety (9). */
  varied?: readonly string[]
  /** The fault that was injected while the response was sent (7.4). */
  injectedFault?: string
}

/** Returns the bodies of a journal entry in the document's own members, whatever dialect its organization speaks. */
export const documentBodies = ({ document, request, response }: JournalEntry): { request: string; response: string } =>
  document ?? { request: request.body, response: response.body }
