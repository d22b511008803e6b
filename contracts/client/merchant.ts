import { randomUUID } from 'node:crypto'
import type { components } from '../openapi.gen.ts'
import { REFUSALS } from '../protocol/reason-codes.ts'
import type { SigningKey } from '../protocol/sign.ts'
import { type CallOptions, type CallParts, callOf } from './call.ts'
import { NoAnswer, TokenRefused, UntrustedAnswer } from './call-error.ts'
import type { Credentials } from './credentials.ts'
import { ENDPOINTS, type EndpointName, type Paths } from './endpoints.ts'
import { type Exchange, jsonOf } from './exchange.ts'
import { createKeyCache, createVerifier } from './key-set.ts'
import { patiently } from './patience.ts'
import { realTime } from './real-time.ts'
import { type Alterations, type Call, type SendOptions, send } from './send.ts'
import { createTokenCache, type Token } from './token-cache.ts'
import { createTransport, type Transport } from './transport.ts'
import { createWebhookVerifier } from './webhook.ts'

export type Shapes = components['schemas']

/** How a deployment spells requests where it differs from the description. */
export type Spelling = {
  json(endpoint: EndpointName, body: unknown): unknown
  query(endpoint: EndpointName, query: Readonly<Record<string, string>>): Record<string, string>
  /** Members that no report may show, by the names that they have there. */
  secretMembers: readonly string[]
}

export type MerchantOptions = {
  /** Addresses where a deployment differs from the description. */
  paths?: Paths
  dialect?: SendOptions['dialect']
  /** Writes what calls say in the words of the deployment. */
  spelling?: Spelling
  /** Scope of the token that calls carry unless told otherwise (5.3). */
  scope?: string
  timeoutMs?: number
  /** Statuses on which a call is sent again under its key, twice at most; RETRIED_BY_RULE has those of 7.1 and 7.4, none unless given. */
  retry?: readonly number[]
  transport?: Transport
  /** Asked for the key before each call, as where one is rotated; the first of the credentials unless given (5.2). */
  signingKey?: () => SigningKey | Promise<SigningKey>
  /** Told of every exchange, the fetching of tokens and keys among them. */
  onExchange?: (exchange: Exchange) => void
  now?: () => number
}

/** An answer in full: `body` when the call was served, `refusal` when it was not. */
export type Answer<Body> = { status: number; exchange: Exchange } & (
  | { ok: true; body: Body }
  | { ok: false; refusal: Partial<Shapes['Refusal']> | undefined }
)

export type Merchant = ReturnType<typeof createMerchant>

/** A merchant's whole side of the contract: certificate, token, signature, idempotency key, and answers verified. */
export const createMerchant = (credentials: Credentials, options: MerchantOptions = {}) => {
  const now = options.now ?? realTime
  const transport = watched(options.transport ?? createTransport(transportOptions(credentials, options)), options)
  const { spelling } = options
  const { secretMembers = [] } = spelling ?? {}
  const { signingKey } = options
  const sending = {
    credentials,
    transport,
    dialect: options.dialect ?? {},
    secretMembers,
    ...(signingKey && { signingKey }),
  }
  const usualScope = options.scope ?? 'payments:read payments:process'

  const request = async (endpoint: EndpointName, parts: CallParts = {}, alter: Alterations = {}): Promise<Exchange> => {
    const guarded = endpoint !== 'token' && endpoint !== 'keySet'
    const token = guarded && alter.token === undefined ? await tokenFor(parts.scope ?? usualScope) : undefined
    const described = callOf(endpoint, spelling ? spelt(endpoint, parts, spelling) : parts, options.paths, token)
    return patiently(alter.retry ?? options.retry ?? [], () => send(sending, described, alter))
  }
  const tokenForm = (scope = '') => ({
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    ...(scope && { scope }),
  })
  const { tokenFor, forget } = createTokenCache(
    async scope => tokenOf(await request('token', { form: tokenForm(scope) })),
    now,
  )
  const keyCache = createKeyCache(() => request('keySet'), now)
  const verify = createVerifier(keyCache)
  /** A token that ended early, as when a virtual clock moves, is renewed once; the key stays (4061, 7.3). */
  const requestRenewed = async (endpoint: EndpointName, parts: CallParts): Promise<Exchange> => {
    const scope = parts.scope ?? usualScope
    const keyed = { ...parts, idempotencyKey: parts.idempotencyKey ?? randomUUID() }
    const exchange = await request(endpoint, keyed)
    if (!saysExpired(exchange)) return exchange
    await forget(scope, exchange.request.headers.authorization?.replace('Bearer ', '') ?? '')
    return request(endpoint, keyed)
  }
  const call = async <Body>(endpoint: EndpointName, parts: CallParts): Promise<Answer<Body>> => {
    const exchange = await requestRenewed(endpoint, parts)
    if (!exchange.answer) throw new NoAnswer(exchange)
    const verdict = await verify(exchange)
    if (!verdict.ok) throw new UntrustedAnswer(exchange, verdict.message)
    return answerOf<Body>(exchange, exchange.answer.status)
  }
  const post =
    <Request, Body>(endpoint: EndpointName) =>
    (json: Request, more: CallOptions = {}) =>
      call<Body>(endpoint, { ...more, json })

  return {
    credentials,
    transport,
    /** Any call, altered as wished, as it went over the wire; throws for nothing that the other side does. */
    request,
    /** A call that no endpoint describes, signed all the same. */
    send: (described: Call, alter?: Alterations) => send(sending, described, alter),
    /** The address of an endpoint in this deployment, with its `{name}` parts. */
    pathOf: (endpoint: EndpointName): string => options.paths?.[endpoint] ?? ENDPOINTS[endpoint].path,
    tokenForm,
    /** The cached token of a scope; renewed about five minutes before its end. */
    tokenFor: (scope = usualScope) => tokenFor(scope),
    token: (scope = usualScope) => call<Shapes['TokenAnswer']>('token', { form: tokenForm(scope) }),
    initiate: post<Shapes['InitiateRequest'], Shapes['InitiateAnswer']>('initiate'),
    finalize: post<Shapes['FinalizeRequest'], Shapes['FinalizeAnswer']>('finalize'),
    charge: post<Shapes['ChargeRequest'], Shapes['ChargeAnswer']>('charge'),
    capture: post<Shapes['CaptureRequest'], Shapes['CaptureAnswer']>('capture'),
    cancel: post<Shapes['CancelRequest'], Shapes['CancelAnswer']>('cancel'),
    refund: post<Shapes['RefundRequest'], Shapes['RefundAnswer']>('refund'),
    status: (transactionId: string) => call<Shapes['StatusAnswer']>('status', { path: { transactionId } }),
    events: (transactionId: string) => call<Shapes['EventsAnswer']>('events', { path: { transactionId } }),
    search: post<Shapes['SearchRequest'], Shapes['SearchAnswer']>('search'),
    providers: post<Shapes['ProvidersRequest'], Shapes['ProvidersAnswer']>('providers'),
    /** Needs the scope data:reports, which no other call wants (5.3). */
    reports: (query: Shapes['ReportsQuery']) =>
      call<Shapes['ReportsAnswer']>('reports', { query, scope: REPORTS_SCOPE }),
    /** The text of a report (CSV). */
    downloadReport: (reportId: string) =>
      call<string>('downloadReport', {
        query: { reportId },
        scope: REPORTS_SCOPE,
        headers: { accept: CSV_OR_REFUSAL },
      }),
    /** Only a sandbox has it; the answer has no body (2.7). */
    mockSet: post<Shapes['MockRequest'], undefined>('mockSet'),
    keySet: () => call<Shapes['KeySet']>('keySet', {}),
    /** Judges a webhook as it was received, by its endpoint's secrets and by the service's own keys (6, D-100). */
    verifyWebhook: createWebhookVerifier(keyCache),
    close: () => transport.close(),
  }
}

const saysExpired = (exchange: Exchange): boolean =>
  exchange.answer?.status === 401 &&
  (jsonOf(exchange) as Partial<Shapes['Refusal']> | undefined)?.statusInfo?.reasonCode ===
    REFUSALS.TOKEN_EXPIRED.reasonCode

const spelt = (endpoint: EndpointName, parts: CallParts, spelling: Spelling): CallParts => ({
  ...parts,
  ...(parts.json === undefined ? {} : { json: spelling.json(endpoint, parts.json) }),
  ...(parts.query === undefined ? {} : { query: spelling.query(endpoint, parts.query) }),
})

const REPORTS_SCOPE = 'data:reports'
const CSV_OR_REFUSAL = 'text/csv, application/json'

const watched = (transport: Transport, { onExchange }: MerchantOptions): Transport =>
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

const tokenOf = (exchange: Exchange): Token => {
  if (!exchange.answer) throw new NoAnswer(exchange)
  const { access_token, expires_in } = (jsonOf(exchange) ?? {}) as Partial<Shapes['TokenAnswer']>
  if (exchange.answer.status !== 200 || !access_token) throw new TokenRefused(exchange)
  return { value: access_token, expiresInSeconds: Number(expires_in) }
}

const answerOf = <Body>(exchange: Exchange, status: number): Answer<Body> =>
  status < 300
    ? { ok: true, status, exchange, body: bodyOf(exchange) as Body }
    : { ok: false, status, exchange, refusal: jsonOf(exchange) as Partial<Shapes['Refusal']> | undefined }

const bodyOf = (exchange: Exchange): unknown =>
  exchange.answer?.headers['content-type']?.startsWith('text/')
    ? exchange.answer.body.toString('utf8')
    : jsonOf(exchange)
