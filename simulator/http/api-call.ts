import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { Dialect } from '../../contracts/dialect/dialect.ts'
import type { OperationName } from '../../contracts/operations.ts'
import type { ServiceVersion } from '../../contracts/protocol/api-versioning.ts'
import type { SignatureMatch } from '../../contracts/protocol/match-signature-dialect.ts'
import type { UnknownMember } from '../../contracts/schema/known-and-unknown-request-members.ts'
import type { ScriptNote } from '../operations/scenario-and-faults-of-call.ts'
import type { SecurityLayer } from '../options/options.ts'
import type { ResponseFault } from '../providers/fault-kinds.ts'
import type { Organization } from '../store/organization-store.ts'
import type { Reply } from '../store/unit-of-work.ts'
import type { Refusal } from '../support/refusal.ts'
import type { AccessToken } from './access-tokens.ts'
import type { CollectedRequest } from './collect-body.ts'
import type { CallVariation } from './variation/seeded-variation.ts'

/** State of one API request while it passes the layers; each layer adds what it has established. */
export type ApiCall = {
  callId: string
  elapsed: () => number
  incoming: CollectedRequest
  body: Buffer
  /** Security layers that are disabled for this request's connection (D-70). */
  disabledLayers: readonly SecurityLayer[]
  /** Service version of the response (9): the latest stable one if the request names none that is served. */
  version: ServiceVersion
  /** Extra headers of the response: service version and disabled layers. */
  responseHeaders: Record<string, string>
  /** The dialect of the deployment: the sandbox's usual one until the certificate names the organization. */
  dialect: Dialect
  organization?: Organization
  signature?: { keyId: string } & SignatureMatch
  token?: AccessToken
  operation?: OperationName
  /** The request as the document has it, where the organization speaks another dialect. */
  documentRequest?: object
  /** Members of the request that its operation does not have (D-46). */
  unknown?: readonly UnknownMember[]
  refusal?: Refusal
  reply?: Reply
  replayed?: boolean
  /** The scenario that was applied, and every mock that was compared with the call. */
  script?: ScriptNote
  /** Conformant variation of this call, only with --variety; the first use counts the call. */
  variety?: () => CallVariation
  /** Fault to inject while the response is sent (7.4). */
  wire?: ResponseFault
}

/** Node request and response objects of an API call, which the HTTP server passes to Hono as bindings. */
export type ApiBindings = { incoming: CollectedRequest; outgoing: ServerResponse }

/** A call that has passed the first security layer, which identifies its organization (5.1). */
export type IdentifiedCall = ApiCall & { organization: Organization }

/** A check that a request to the API passes before its handler runs; throws a Refusal if it fails. */
export type RequestLayer<Call extends ApiCall = IdentifiedCall> = (call: Call) => Promise<void> | void

export type ApiEnvironment = { Bindings: ApiBindings; Variables: { call: ApiCall } }
export type ApiContext = Context<ApiEnvironment>

/** Placeholder Response that the signing layer replaces with the signed one. */
const UNSIGNED = new Response()

/** Sets the reply of an API call; its body is signed and sent byte for byte. */
export const respond = (c: ApiContext, reply: Reply): Response => {
  c.get('call').reply = reply
  return UNSIGNED
}

/** Returns the value of a header of an API call: of a repeated header joined by commas, of an absent one undefined. */
export const readHeader = ({ incoming }: Pick<ApiCall, 'incoming'>, name: string): string | undefined => {
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
