import { type RequestToSign, type SigningKey, type SigningOptions, signRequest } from '../protocol/sign.ts'
import type { Credentials } from './credentials.ts'
import type { EndpointName } from './endpoints.ts'
import type { Exchange } from './exchange.ts'
import { nowSeconds } from './real-time.ts'
import type { Connection, Transport } from './transport.ts'

/** A request before its bearer token and signature: `path` is below the base URL, with its query. */
export type Call = {
  method: 'GET' | 'POST'
  path: string
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
  /** Bearer token; calls without one are signed all the same. */
  token?: string
  endpoint?: EndpointName
}

/** A request with all but its signature. `headers` holds Host and Content-Type, names in lower case. */
export type Draft = { method: string; target: string; headers: Record<string, string>; body?: Uint8Array }

export type Signer = (draft: Draft, key: SigningKey, options: SigningOptions) => Promise<Record<string, string>>

/** What one call does otherwise than a good merchant would: the suites break exactly one thing with it. */
export type Alterations = {
  connection?: Connection
  /** Another bearer token; null sends no Authorization header. */
  token?: string | null
  signingKey?: SigningKey
  signing?: Partial<SigningOptions>
  /** Replaces the signing as a whole. */
  sign?: Signer
  beforeSigning?: (draft: Draft) => Draft
  afterSigning?: (draft: Draft) => Draft
  /** Statuses on which the call is sent again, in place of those that the merchant is patient with (7.1). */
  retry?: readonly number[]
}

export type SendOptions = {
  credentials: Credentials
  transport: Transport
  dialect: Omit<SigningOptions, 'created'>
  secretMembers?: readonly string[]
  signingKey?: () => SigningKey | Promise<SigningKey>
}

/** Signs a described request (5.2) and sends it, with any alterations. */
export const send = async (options: SendOptions, call: Call, alter: Alterations = {}): Promise<Exchange> => {
  const { credentials, transport, dialect } = options
  const base = new URL(credentials.baseUrl)
  const draft = (alter.beforeSigning ?? same)(draftOf(call, base, alter))
  const key = alter.signingKey ?? (await options.signingKey?.()) ?? firstKey(credentials)
  const signature = await (alter.sign ?? signDraft)(draft, key, { ...dialect, created: nowSeconds(), ...alter.signing })
  const signed = (alter.afterSigning ?? same)({ ...draft, headers: { ...draft.headers, ...signature } })
  const { method, headers, body } = signed
  const request = {
    method,
    url: `${base.origin}${signed.target}`,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(call.endpoint === undefined ? {} : { endpoint: call.endpoint }),
    ...(options.secretMembers?.length ? { secretMembers: options.secretMembers } : {}),
  }
  return transport.exchange(request, alter.connection)
}

/** Signs a draft as clause 5.2 asks. */
export const signDraft: Signer = (draft, key, options) => signRequest(requestOf(draft), key, options)

/** A draft in the words of the protocol code. */
export const requestOf = ({ method, target, headers, body }: Draft): RequestToSign => ({
  method,
  target,
  host: headers.host ?? '',
  ...(headers['content-type'] === undefined ? {} : { contentType: headers['content-type'] }),
  ...(body === undefined ? {} : { body }),
})

const draftOf = (call: Call, base: URL, alter: Alterations): Draft => {
  const token = alter.token === undefined ? call.token : alter.token
  return {
    method: call.method,
    target: `${base.pathname.replace(/\/$/, '')}${call.path}`,
    headers: {
      host: base.host,
      accept: 'application/json',
      ...call.headers,
      ...(token == null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(call.body === undefined ? {} : { body: call.body }),
  }
}

const firstKey = ({ signingKeys, organizationId }: Credentials): SigningKey => {
  const [key] = signingKeys
  if (!key) throw new Error(`The credentials of ${organizationId} hold no signing key: add one.`)
  return key
}

const same = (draft: Draft): Draft => draft
