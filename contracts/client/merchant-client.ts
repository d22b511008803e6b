import { randomUUID } from 'node:crypto'
import type { DialectLines } from '../dialect/dialect-lines.ts'
import type { components } from '../openapi.gen.ts'
import { type OperationName, operationAddress, REPORTS_SCOPE } from '../operations.ts'
import { acceptedResponseDialect } from '../protocol/match-signature-dialect.ts'
import { REFUSALS } from '../protocol/reason-codes.ts'
import type { SigningKey } from '../protocol/sign-messages.ts'
import { NoResponse, TokenRefused, UntrustedResponse } from './call-errors.ts'
import { createClientDialect, type DialectOptions, type RequestDialect } from './client-dialect-options.ts'
import type { Credentials } from './credentials.ts'
import { type CallOptions, type CallParts, checkPathValues, toEndpointCall, withPathMembers } from './endpoint-call.ts'
import { accessTokenIn, type Exchange, isSuccess, responseJson } from './http-exchange.ts'
import { createResponseVerifier } from './response-verifier.ts'
import { withRetries } from './retry-policy.ts'
import { type CallOverrides, sendSigned, type UnsignedCall } from './send-signed-call.ts'
import { createKeySetCache } from './service-key-set.ts'
import { type AccessToken, createTokenCache } from './token-cache.ts'
import { createTransport, type Transport } from './transport.ts'
import { realTime } from './wall-clock.ts'
import { createWebhookReader, createWebhookVerifier } from './webhook-verifier.ts'

/** Types of the schemas of the payment API's OpenAPI description, by name. */
export type Shapes = components['schemas']

/** Options of a merchant client; what they say of the service's dialect holds before `dialectLines`. */
export type MerchantOptions = DialectOptions & {
  /** The dialect of the service as lines of a profile; by default that of the kit. */
  dialectLines?: DialectLines
  /** The default scope of access tokens (5.3). */
  scope?: string
  timeoutMs?: number
  /**
   * Statuses on which a call is retried under its key, at most twice; none by default, see RETRYABLE_STATUSES. A temporary
   * decline has status 200 (D-117): the caller repeats it under its key, see isTemporaryDecline.
   */
  retry?: readonly number[]
  transport?: Transport
  /** Supplies the signing key of each call, as during a rotation; by default the first key of the credentials (5.2). */
  signingKey?: () => SigningKey | Promise<SigningKey>
  /** Receives every exchange, including those for tokens and keys. */
  onExchange?: (exchange: Exchange) => void
  now?: () => number
}

/** The response of a call: `body` where it was served (status below 300), else `refusal`. */
export type MerchantResponse<Body> = { status: number; exchange: Exchange } & (
  | { ok: true; body: Body }
  | { ok: false; refusal: Partial<Shapes['Refusal']> | undefined }
)

export type Merchant = ReturnType<typeof createMerchant>

/** Creates a merchant client: mTLS, access tokens, signatures, idempotency keys, retries, verified responses. */
export const createMerchant = (credentials: Credentials, wanted: MerchantOptions = {}) => {
  const lines = wanted.dialectLines ?? credentials.dialectLines
  const dialect = createClientDialect(lines)
  const options: MerchantOptions = { ...dialect.options, ...wanted }
  const now = options.now ?? realTime
  const transport = withExchangeListener(
    options.transport ?? createTransport(transportOptions(credentials, options)),
    options,
  )
  const closed = new AbortController()
  const { requestDialect } = options
  const { secretMembers = [] } = requestDialect ?? {}
  const { signingKey } = options
  const sending = {
    credentials,
    transport,
    dialect: options.dialect ?? {},
    secretMembers,
    ...(signingKey && { signingKey }),
  }
  const usualScope = options.scope ?? 'payments:read payments:process'

  const isGuarded = (endpoint: OperationName): boolean =>
    endpoint !== 'token' && (endpoint !== 'keySet' || options.isKeySetProtected === true)
  const request = async (
    endpoint: OperationName,
    parts: CallParts = {},
    alter: CallOverrides = {},
  ): Promise<Exchange> => {
    const token =
      isGuarded(endpoint) && alter.token === undefined ? await tokenFor(parts.scope ?? usualScope) : undefined
    const addressed = withPathMembers(endpoint, parts, options.paths)
    const described = toEndpointCall(
      endpoint,
      requestDialect ? translated(endpoint, addressed, requestDialect) : addressed,
      options.paths,
      token,
    )
    return withRetries(alter.retry ?? options.retry ?? [], () => sendSigned(sending, described, alter), closed.signal)
  }
  const tokenForm = (scope = '') => ({
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    ...(scope && { scope }),
  })
  /** Token responses by their token, until a call that verifies its response needs it (5.4). */
  const unverified = new Map<string, Exchange>()
  const { tokenFor, forget } = createTokenCache(async scope => {
    const exchange = await request('token', { form: tokenForm(scope) }, { forCache: true })
    const token = tokenOf(exchange)
    unverified.set(token.value, exchange)
    return token
  }, now)
  const forgetTokenOf = ({ request: { headers } }: Exchange, scope = usualScope): Promise<void> =>
    forget(scope, headers.authorization?.replace('Bearer ', '') ?? '')
  const signedBy = acceptedResponseDialect(options.responses)
  const keyCache = createKeySetCache(() => request('keySet', {}, { forCache: true }), now, signedBy.label)
  const verify = createResponseVerifier(keyCache, signedBy)
  const mustVerify = async (exchange: Exchange): Promise<void> => {
    const verdict = await verify(dialect.nameHeaders(exchange))
    if (!verdict.ok) throw new UntrustedResponse(exchange, verdict.message)
  }
  const verifiedTokenFor = async (scope: string): Promise<string> => {
    const token = await tokenFor(scope)
    const exchange = unverified.get(token)
    if (!exchange) return token
    await mustVerify(exchange).catch(async error => {
      await forget(scope, token)
      throw error
    })
    unverified.delete(token)
    return token
  }
  /** Sends a call; where its token is refused (4061, 4970), renews it and sends once more under the same key (5.5, 7.3). */
  const requestRenewed = async (endpoint: OperationName, parts: CallParts): Promise<Exchange> => {
    checkPathValues(endpoint, parts, options.paths)
    const scope = parts.scope ?? usualScope
    const keyed = { ...parts, idempotencyKey: parts.idempotencyKey ?? randomUUID() }
    const send = async () =>
      request(endpoint, keyed, isGuarded(endpoint) ? { token: await verifiedTokenFor(scope) } : {})
    const exchange = await send()
    if (exchange.response?.status !== 401 || !refusesToken(dialect.read(exchange))) return exchange
    await forgetTokenOf(exchange, scope)
    return send()
  }
  const call = async <Body>(endpoint: OperationName, parts: CallParts): Promise<MerchantResponse<Body>> => {
    const exchange = await requestRenewed(endpoint, parts)
    if (!exchange.response) throw new NoResponse(exchange)
    await mustVerify(exchange)
    const { status, body } = exchange.response
    const isReport = endpoint === 'downloadReport' && isSuccess(status)
    return toMerchantResponse<Body>(exchange, status, isReport ? body.toString('utf8') : dialect.read(exchange))
  }
  const post =
    <Request, Body>(endpoint: OperationName) =>
    (json: Request, more: CallOptions = {}) =>
      call<Body>(endpoint, { ...more, json })

  return {
    credentials,
    transport,
    /** Sends any call, with overrides, and returns the exchange; throws no error for a refusal or a transport error. */
    request,
    /** Signs and sends a call outside the described endpoints. */
    send: (described: UnsignedCall, alter?: CallOverrides) => sendSigned(sending, described, alter),
    /** The path of an endpoint in this deployment, with its `{name}` parameters. */
    pathOf: (endpoint: OperationName): string => operationAddress(endpoint, options.paths).path,
    tokenForm,
    /** The cached access token of a scope; renewed about five minutes before it expires. */
    tokenFor: (scope = usualScope) => tokenFor(scope),
    /** Removes the token of a call from the cache: the next call of its scope has a new one. */
    forgetTokenOf,
    token: (scope = usualScope) => call<Shapes['TokenResponse']>('token', { form: tokenForm(scope) }),
    initiate: post<Shapes['InitiateRequest'], Shapes['InitiateResponse']>('initiate'),
    finalize: post<Shapes['FinalizeRequest'], Shapes['FinalizeResponse']>('finalize'),
    charge: post<Shapes['ChargeRequest'], Shapes['ChargeResponse']>('charge'),
    capture: post<Shapes['CaptureRequest'], Shapes['CaptureResponse']>('capture'),
    cancel: post<Shapes['CancelRequest'], Shapes['CancelResponse']>('cancel'),
    refund: post<Shapes['RefundRequest'], Shapes['RefundResponse']>('refund'),
    status: (transactionId: string) => call<Shapes['StatusResponse']>('status', { path: { transactionId } }),
    events: (transactionId: string) => call<Shapes['EventsResponse']>('events', { path: { transactionId } }),
    search: post<Shapes['SearchRequest'], Shapes['SearchResponse']>('search'),
    providers: post<Shapes['ProvidersRequest'], Shapes['ProvidersResponse']>('providers'),
    /** Lists reports, with the scope data:reports (5.3). */
    reports: (query: Shapes['ReportsQuery']) =>
      call<Shapes['ReportsResponse']>('reports', { query, scope: REPORTS_SCOPE }),
    /** Downloads a report as CSV text. */
    downloadReport: (reportId: string) =>
      call<string>('downloadReport', {
        query: { reportId },
        scope: REPORTS_SCOPE,
        headers: { accept: CSV_OR_REFUSAL },
      }),
    /** Sets a mock; sandbox only, without a response body (2.7). */
    mockSet: post<Shapes['MockRequest'], undefined>('mockSet'),
    keySet: () => call<Shapes['KeySet']>('keySet', {}),
    /** Verifies both signatures of a webhook, HMAC by the endpoint's secrets and that of the service (6, D-100), and reads it. */
    verifyWebhook: createWebhookReader(createWebhookVerifier(keyCache, signedBy, lines), dialect.readWebhook),
    close: () => {
      closed.abort()
      transport.close()
    },
  }
}

const TOKEN_CODES: readonly string[] = [REFUSALS.TOKEN_EXPIRED.reasonCode, REFUSALS.TOKEN_REFUSED.reasonCode]

const refusesToken = (json: unknown): boolean =>
  TOKEN_CODES.includes((json as Partial<Shapes['Refusal']> | undefined)?.statusInfo?.reasonCode ?? '')

const translated = (endpoint: OperationName, parts: CallParts, dialect: RequestDialect): CallParts => ({
  ...parts,
  ...(parts.json === undefined ? {} : { json: dialect.json(endpoint, parts.json) }),
  ...(parts.query === undefined ? {} : { query: dialect.query(endpoint, parts.query) }),
})

const CSV_OR_REFUSAL = 'text/csv, application/json'

const withExchangeListener = (transport: Transport, { onExchange }: MerchantOptions): Transport =>
  onExchange
    ? {
        ...transport,
        exchange: async (...call) => {
          const exchange = await transport.exchange(...call)
          onExchange(exchange)
          return exchange
        },
      }
    : transport

const transportOptions = ({ ca, identity }: Credentials, { timeoutMs }: MerchantOptions) => ({
  identity,
  ...(ca === undefined ? {} : { ca }),
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
})

const tokenOf = (exchange: Exchange): AccessToken => {
  if (!exchange.response) throw new NoResponse(exchange)
  const { expires_in } = (responseJson(exchange) ?? {}) as Partial<Shapes['TokenResponse']>
  const value = accessTokenIn(exchange)
  if (!isSuccess(exchange.response.status) || value === undefined) throw new TokenRefused(exchange)
  return { value, expiresInSeconds: Number(expires_in) }
}

const toMerchantResponse = <Body>(exchange: Exchange, status: number, json: unknown): MerchantResponse<Body> =>
  status < 300
    ? { ok: true, status, exchange, body: json as Body }
    : { ok: false, status, exchange, refusal: json as Partial<Shapes['Refusal']> | undefined }
