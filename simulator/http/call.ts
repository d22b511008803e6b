import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { ServiceVersion } from '../../contracts/protocol/service-version.ts'
import type { Match } from '../../contracts/protocol/verify.ts'
import type { ScriptNote } from '../operations/script.ts'
import type { Guard } from '../options.ts'
import type { WireFault } from '../providers/faults.ts'
import type { Refusal } from '../refusal.ts'
import type { Organization, Reply } from '../store/port.ts'
import type { CallVariety } from '../variety/variety.ts'
import type { Collected } from './collect-body.ts'
import type { AccessToken } from './tokens.ts'

/** One call on its way through the layers: each adds what it found out. */
export type Call = {
  callId: string
  elapsed: () => number
  incoming: Collected
  body: Buffer
  /** Layers that this call need not pass (D-70). */
  off: readonly Guard[]
  /** The version that it is answered in (9); the latest stable one where it names none that is served. */
  version: ServiceVersion
  /** What its answer carries beside the headers that every answer has. */
  answerHeaders: Record<string, string>
  organization?: Organization
  signature?: { keyId: string } & Match
  token?: AccessToken
  operation?: string
  refusal?: Refusal
  reply?: Reply
  replayed?: boolean
  /** Who answered: the scenario, and every mock that was looked at. */
  script?: ScriptNote
  /** What is unusual about it, where variety is on; it counts from the first look. */
  variety?: () => CallVariety
  /** What is to happen to the answer on its way (7.4). */
  wire?: WireFault
}

/** What the listener hands to Hono with every request. */
export type Bindings = { incoming: Collected; outgoing: ServerResponse }

/** What a call has to pass before it is answered: throws a Refusal where it may not. */
export type Layer = (call: Call) => Promise<void> | void

export type ApiEnvironment = { Bindings: Bindings; Variables: { call: Call } }
export type ApiContext = Context<ApiEnvironment>

/** In the place of an answer until it is signed. */
const UNSIGNED = new Response()

/** Ends a call with a body that goes out, and is signed, exactly as it is here. */
export const respond = (c: ApiContext, reply: Reply): Response => {
  c.get('call').reply = reply
  return UNSIGNED
}

/** A header that may stand once only; undefined where it is absent. */
export const headerOf = ({ incoming }: Pick<Call, 'incoming'>, name: string): string | undefined => {
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
