import type { OperationName } from '../operations.ts'
import { type RequestToSign, type SigningKey, type SigningOptions, signRequest } from '../protocol/sign-messages.ts'
import type { Credentials } from './credentials.ts'
import type { Exchange } from './http-exchange.ts'
import type { ConnectionOptions, Transport } from './transport.ts'
import { nowSeconds } from './wall-clock.ts'

/** A merchant's call before it is signed; `path` is below the base URL, with its query. */
export type UnsignedCall = {
  method: 'GET' | 'POST'
  path: string
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
  /** Bearer token; a call without one is signed too. */
  token?: string
  endpoint?: OperationName
}

/** A request about to be sent, before or after signing; header names are lower case, Host and Content-Type included. */
export type OutgoingRequest = { method: string; target: string; headers: Record<string, string>; body?: Uint8Array }

/** A function that signs a call, which a test may replace: from a request to its signature headers. */
export type Signer = (
  draft: OutgoingRequest,
  key: SigningKey,
  options: SigningOptions,
) => Promise<Record<string, string>>

/** Overrides of one merchant call, by which checks break exactly one thing: TLS, token, key, signing, content. */
export type CallOverrides = {
  connection?: ConnectionOptions
  /** A different bearer token; null sends no Authorization header. */
  token?: string | null
  signingKey?: SigningKey
  signing?: Partial<SigningOptions>
  /** Replaces the signing step. */
  sign?: Signer
  beforeSigning?: (draft: OutgoingRequest) => OutgoingRequest
  afterSigning?: (draft: OutgoingRequest) => OutgoingRequest
  /** Statuses on which this call is retried, in place of the client's own (7.1). */
  retry?: readonly number[]
  /** Set by the client for a call that fills its own cache. */
  forCache?: true
  /** Set for a call that removes what a run left behind. */
  forCleanup?: true
}

/** Options of sending a merchant's signed call: credentials, transport, signature dialect. */
export type SendOptions = {
  credentials: Credentials
  transport: Transport
  dialect: Omit<SigningOptions, 'created'>
  secretMembers?: readonly string[]
  signingKey?: () => SigningKey | Promise<SigningKey>
}

/** Signs a call (5.2), applies the overrides and sends it. */
export const sendSigned = async (
  options: SendOptions,
  call: UnsignedCall,
  alter: CallOverrides = {},
): Promise<Exchange> => {
  const { credentials, transport, dialect } = options
  const base = new URL(credentials.baseUrl)
  const draft = withTargetAsSent((alter.beforeSigning ?? same)(toOutgoingRequest(call, base, alter)), base)
  const key = alter.signingKey ?? (await options.signingKey?.()) ?? firstKey(credentials)
  const signature = await (alter.sign ?? signOutgoing)(draft, key, {
    ...dialect,
    created: nowSeconds(),
    ...alter.signing,
  })
  const signed = (alter.afterSigning ?? same)({ ...draft, headers: { ...draft.headers, ...signature } })
  const { method, headers, body } = signed
  const request = {
    method,
    url: `${base.origin}${signed.target}`,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(call.endpoint === undefined ? {} : { endpoint: call.endpoint }),
    ...(alter.forCache && { forCache: alter.forCache }),
    ...(alter.forCleanup && { forCleanup: alter.forCleanup }),
    ...(options.secretMembers?.length ? { secretMembers: options.secretMembers } : {}),
  }
  return transport.exchange(request, alter.connection)
}

/** Signs an outgoing request by clause 5.2. */
export const signOutgoing: Signer = (draft, key, options) => signRequest(toRequestToSign(draft), key, options)

/** Converts an outgoing request to the input of `signRequest`. */
export const toRequestToSign = ({ method, target, headers, body }: OutgoingRequest): RequestToSign => ({
  method,
  target,
  host: headers.host ?? '',
  ...(headers['content-type'] === undefined ? {} : { contentType: headers['content-type'] }),
  ...(body === undefined ? {} : { body }),
})

const toOutgoingRequest = (call: UnsignedCall, base: URL, alter: CallOverrides): OutgoingRequest => {
  const token = alter.token === undefined ? call.token : alter.token
  return {
    method: call.method,
    target: `${base.pathname.replace(/\/$/, '')}${call.path}`,
    headers: {
      host: base.host,
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...call.headers,
      ...(token == null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(call.body === undefined ? {} : { body: call.body }),
  }
}

/** Writes the target of a request as Node sends it: without dot segments, percent-encoded where it has to be. */
const withTargetAsSent = (draft: OutgoingRequest, { origin }: URL): OutgoingRequest => {
  const { pathname, search } = new URL(`${origin}${draft.target}`)
  return { ...draft, target: `${pathname}${search}` }
}

const firstKey = ({ signingKeys, organizationId }: Credentials): SigningKey => {
  const [key] = signingKeys
  if (!key) throw new Error(`The credentials of ${organizationId} hold no signing key: add one.`)
  return key
}

const same = (draft: OutgoingRequest): OutgoingRequest => draft
