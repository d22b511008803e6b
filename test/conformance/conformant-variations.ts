import { generateKeyPairSync, sign } from 'node:crypto'
import type { Mutation } from './mutants/mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  mutateServedJson,
  mutateSignedResponse,
  replaceReplies,
  requestHeader,
  withFreshState,
  withStatusAndCode,
} from './mutants/mutations-of-matching-calls.ts'
import { mutateJsonReply, mutateRefusal, mutateReply } from './mutants/simulator-mutations.ts'

const isInitiate = isCallTo('/payments/initiate')

/** Lawful variation of the simulator: responses contain empty members as null. */
export const explicitNulls = mutateJsonReply((body, { http }, call) => {
  if (isCallTo('/auth/token')(call)) return { ...body, refresh_token: null }
  if (http >= 400) return { ...body, transactionId: null }
  const providerDetails = { redirectUrl: null, ...(body.providerDetails as object | undefined) }
  return isInitiate(call) ? { ...body, providerDetails } : undefined
})

/** Lawful variation of the simulator: responses contain the id of their call, and those to reads a counter of reads. */
export const callIdInResponses = withFreshState(() => {
  let reads = 0
  return mutateServedJson(
    ({ incoming }) => incoming.url?.startsWith('/payments/') ?? false,
    (body, { callId, incoming }) => {
      reads += 1
      return { ...body, callId, ...(incoming.method === 'GET' ? { readAt: reads } : {}) }
    },
  )
})

/** Lawful variation of the simulator: a payment that its shopper declines is CANCELED (D-43). */
export const shopperDeclineAsCancellation = mutateServedJson(isCallTo('status'), body => {
  const [{ reasonCode } = {}, lifecycle] = [body.statusInfo, body.lifecycle] as [{ reasonCode?: string }?, object?]
  return reasonCode === '2001' ? { ...body, lifecycle: { ...lifecycle, state: 'CANCELED' } } : undefined
})

/** Lawful variation of the simulator: a gateway responds with HTML where an endpoint does not exist. */
export const gatewayErrors = mutateReply((reply, call) => {
  if (isCallTo('/payments/no/such/endpoint')(call)) return { http: 404, body: '<html>no such page</html>' }
  return isCallTo('/payments/settle')(call) && reply.http === 404
    ? { http: 405, body: '<html>no such act</html>' }
    : undefined
})

export const isKeyedCall = isCallTo(
  ...['initiate', 'finalize', 'charge', 'capture', 'cancel', 'refund'].map(act => `/payments/${act}`),
)

/** Lawful variation of the simulator: 415 for a body of another type, 428 for a missing Idempotency-Key (D-16, D-18). */
export const httpStatusCodes = mutateReply((reply, call) => {
  const type = requestHeader(call, 'content-type')
  if (reply.http !== 400) return undefined
  if (type.startsWith('text/') || (isCallTo('/auth/token')(call) && type.includes('json')))
    return withStatusAndCode(415)(reply)
  if (!isKeyedCall(call) || requestHeader(call, 'idempotency-key') !== '') return undefined
  return isInitiate(call) ? withStatusAndCode(400, '3010')(reply) : withStatusAndCode(428, '3010')(reply)
})

/** Creates the conformant variation that canceling a payment again is a conflict: 409, this reasonCode (7.1). */
export const stateConflict = (reasonCode: string) =>
  withFreshState(() => {
    const canceled = new Set<string>()
    return mutateReply((reply, call) => {
      if (!isCallTo('/payments/cancel')(call) || ![200, 422].includes(reply.http)) return undefined
      const { transactionId = '' } = JSON.parse(bodyTextOf(call)) as { transactionId?: string }
      if (reply.http === 200) canceled.add(transactionId)
      return reply.http === 422 && canceled.has(transactionId) ? withStatusAndCode(409, reasonCode)(reply) : undefined
    })
  })

const declined = (reasonCode: string) => ({
  http: 200,
  body: JSON.stringify({ transactionId: 'declined', status: 'DECLINED', statusInfo: { reasonCode } }),
})

/** Lawful variation of the simulator: answers 200 with a decline by the provider where the simulator refuses with 4xx (S44). */
export const providerDeclines = mutateReply((reply, call) => {
  if (isCallTo('/payments/charge')(call) && reply.http === 422) return declined('1010')
  return isInitiate(call) && /"amount":0\b.*"IRIS"/.test(bodyTextOf(call)) ? declined('4000') : undefined
})

/** Lawful variation of the simulator: every payment needs an amount, also a TOKEN_ONLY one (2.2). */
export const amountAlwaysRequired = mutateReply((reply, call) => {
  if (!isInitiate(call) || !bodyTextOf(call).includes('"TOKEN_ONLY"')) return undefined
  return bodyTextOf(call).includes('"amount"') ? reply : { http: 400, body: '{"statusInfo":{"reasonCode":"4000"}}' }
})

/** Lawful variation of the simulator: responses have a Content-Digest other than SHA-512 (S21). */
export const sha512SignatureOnly = mutateSignedResponse(headers => {
  headers.set('content-digest', headers.get('content-digest')?.replace('sha-512', 'sha-256') ?? '')
  return undefined
})

const isEverything = () => true

type Key = ReturnType<typeof generateKeyPairSync> & { kid?: string }

type OwnKeys = { current(): Key; published(): readonly Key[]; isDigested?: true }

/** Signs by keys of its own, and publishes its own sets of them; what is covered is the status and the media type, without the digest. */
const signingBy = ({ current, published, isDigested }: OwnKeys): Mutation =>
  mutateSignedResponse((headers, body, call) => {
    const isKeySet = isCallTo('/.well-known/jwks.json')(call)
    const keys = isKeySet
      ? published().map(({ publicKey, kid }) => ({ ...publicKey.export({ format: 'jwk' }), kid }))
      : []
    const { privateKey, kid = 'theirs' } = current()
    const type = headers.get('content-type')
    const components = `("@status"${type === null ? '' : ' "content-type"'});created=1;keyid="${kid}"`
    const lines = type === null ? [] : [`"content-type": ${type}`]
    const base = [`"@status": ${call.reply?.http ?? 200}`, ...lines, `"@signature-params": ${components}`].join('\n')
    const signature = sign('sha512', Buffer.from(base), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    if (!isDigested) headers.delete('content-digest')
    headers.delete('content-length')
    headers.set('signature-input', `service_sig=${components}`)
    headers.set('signature', `service_sig=:${signature.toString('base64')}:`)
    return isKeySet ? JSON.stringify({ keys }) : body
  }, isEverything)

const signingByOne = (key: Key): Mutation => signingBy({ current: () => key, published: () => [key] })

const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/**
 * Lawful variation of the simulator: the response signature covers @status and content-type alone, without digest; its key is P-256
 * with SHA-512, without kid in the key set (D-27).
 */
export const ownSignatureComponents = withFreshState(() => signingByOne(p256()))

/** Mutation: the response signature covers @status and content-type alone, beside a digest that nothing protects. */
export const unsignedBodies = withFreshState(() => {
  const key = { ...p256(), kid: 'service-0' }
  return signingBy({ current: () => key, published: () => [key], isDigested: true })
})

/** Lawful variation of the simulator: responses are signed with RSA, since 5.2 names the algorithms of requests only. */
export const rsaSignatures = withFreshState(() => signingByOne(generateKeyPairSync('rsa', { modulusLength: 2048 })))

/**
 * Creates the lawful variation that the key set is rotated as often as it is read: `after`, so that the next responses have a key that only a
 * later set shows; or `before`, so that the key of the last responses has left it.
 */
export const rotatingKeys = (when: 'before' | 'after') =>
  withFreshState(() => {
    const keys: Key[] = [{ ...p256(), kid: 'service-0' }]
    const rotate = () => keys.push({ ...p256(), kid: `service-${keys.length}` })
    return signingBy({
      current: () => keys.at(-1) as Key,
      published: () => {
        if (when === 'before') return keys.slice(rotate() - 1)
        const shown = [...keys]
        rotate()
        return shown
      },
    })
  })

/** Lawful variation of the simulator: responses have their signature in another header (5.4). */
export const signatureInOwnHeader = mutateSignedResponse(headers => {
  headers.set('x-jws-signature', `eyJhbGciOiJFUzI1NiJ9..${Buffer.alloc(64, 7).toString('base64url')}`)
  for (const name of ['signature', 'signature-input', 'content-digest']) headers.delete(name)
  return undefined
}, isEverything)

const RANDOM_UUID = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-/

/** Lawful variation of the simulator: ids of the wrong format are refused with 400. */
export const idFormatEnforced = replaceReplies(
  (call, { http, body }) =>
    http === 404 &&
    body.includes('"4001"') &&
    RANDOM_UUID.test(call.incoming.method === 'GET' ? String(call.incoming.url) : transactionIdIn(call)),
  withStatusAndCode(400, '4000'),
)

const transactionIdIn = (call: Parameters<typeof bodyTextOf>[0]): string =>
  String((JSON.parse(bodyTextOf(call)) as { transactionId?: string }).transactionId)

/** Lawful variation of the simulator: the account is checked before the payment: 403 in place of 404. */
export const accountCheckedFirst = replaceReplies(
  (call, { http }) => http === 404 && /"processingAccountId":"certify-second/.test(bodyTextOf(call)),
  withStatusAndCode(403, '4971'),
)

/** Lawful variation of the simulator: a search finds new payments only after a while; in this run none. */
export const delayedSearch = mutateServedJson(isCallTo('/payments/search'), body => ({ ...body, payments: [] }))

/** Lawful variation of the simulator: mocks respond with PENDING in place of ACCEPTED (3). */
export const pendingMocks = mutateServedJson(isInitiate, body =>
  body.status === 'ACCEPTED' ? { ...body, status: 'PENDING' } : undefined,
)

export const plainHttpRedirect = mutateServedJson(isInitiate, body => {
  const { redirectUrl, ...details } = (body.providerDetails ?? {}) as { redirectUrl?: string }
  return redirectUrl === undefined
    ? undefined
    : { ...body, providerDetails: { ...details, redirectUrl: 'http://pages.sandbox.internal/pay' } }
})

/** Lawful variation of the simulator: 400 in place of 501 with 8003, for which 7.3 has no status. */
export const unsupportedAs400 = mutateRefusal(501, '8003', { http: 400 })

/** Lawful variation of the simulator: the first attempt of each capture under a key meets a gateway that is away (7.1). */
export const awayAtFirst = withFreshState(() => {
  const tried = new Set<string>()
  return mutateReply((_reply, call) => {
    const key = requestHeader(call, 'idempotency-key')
    if (!isCallTo('/payments/capture')(call) || tried.has(key)) return undefined
    tried.add(key)
    return { http: 503, body: '<html>Service Unavailable</html>' }
  })
})

/** Lawful variation of the simulator: a new token ends the one before it of the same client (5.5, D-58). */
export const oneTokenAtATime = withFreshState(() => {
  const newest = new Map<string, string>()
  const clients = new Map<string, string>()
  return mutateReply((reply, call) => {
    if (isCallTo('/auth/token')(call)) {
      if (reply.http !== 200) return undefined
      const client = new URLSearchParams(bodyTextOf(call)).get('client_id') ?? ''
      const { access_token: token } = JSON.parse(reply.body) as { access_token: string }
      newest.set(client, token)
      clients.set(token, client)
      return undefined
    }
    const token = requestHeader(call, 'authorization').replace('Bearer ', '')
    const isEnded = newest.get(clients.get(token) ?? '') !== token
    return reply.http < 300 && clients.has(token) && isEnded ? withCode(reply, '4061') : undefined
  })
})

const withCode = ({ body }: { body: string }, reasonCode: string) => ({
  http: 401,
  body: JSON.stringify({
    ...JSON.parse(body || '{}'),
    status: 'DECLINED',
    statusInfo: { reasonCode, message: 'Ask again.' },
  }),
})
