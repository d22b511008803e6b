import { generateKeyPairSync, sign } from 'node:crypto'
import { at, headerOf, instead, onTheWire, remembering, saying, telling, textOf } from './break.ts'
import { answering, answeringJson, refusing, type Sabotage } from './sabotage.ts'

const isInitiate = at('/payments/initiate')

/** Members that hold nothing are written out all the same. */
export const writingOut = answeringJson((body, { http }, call) => {
  if (at('/auth/token')(call)) return { ...body, refresh_token: null }
  if (http >= 400) return { ...body, transactionId: null }
  const providerDetails = { redirectUrl: null, ...(body.providerDetails as object | undefined) }
  return isInitiate(call) ? { ...body, providerDetails } : undefined
})

/** Every answer bears the id of its call, and a read the moment at which it was made. */
export const stamping = remembering(() => {
  let reads = 0
  return telling(
    ({ incoming }) => incoming.url?.startsWith('/payments/') ?? false,
    (body, { callId, incoming }) => {
      reads += 1
      return { ...body, callId, ...(incoming.method === 'GET' ? { readAt: reads } : {}) }
    },
  )
})

/** A shopper's no is a cancellation (D-43). */
export const cancelling = telling(at('status'), body => {
  const [{ reasonCode } = {}, lifecycle] = [body.statusInfo, body.lifecycle] as [{ reasonCode?: string }?, object?]
  return reasonCode === '2001' ? { ...body, lifecycle: { ...lifecycle, state: 'CANCELED' } } : undefined
})

/** Something stands before the service and answers for what is not there. */
export const guarding = answering((reply, call) => {
  if (at('/payments/no/such/endpoint')(call)) return { http: 404, body: '<html>no such page</html>' }
  return at('/payments/settle')(call) && reply.http === 404
    ? { http: 405, body: '<html>no such act</html>' }
    : undefined
})

export const isKeyed = at(
  ...['initiate', 'finalize', 'charge', 'capture', 'cancel', 'refund'].map(act => `/payments/${act}`),
)

/** What the document has no status for goes by those of HTTP: a body of another type, and a key left out (D-16, D-18). */
export const speakingHttp = answering((reply, call) => {
  const type = headerOf(call, 'content-type')
  if (reply.http !== 400) return undefined
  if (type.startsWith('text/') || (at('/auth/token')(call) && type.includes('json'))) return saying(415)(reply)
  if (!isKeyed(call) || headerOf(call, 'idempotency-key') !== '') return undefined
  return isInitiate(call) ? saying(400, '3010')(reply) : saying(428, '3010')(reply)
})

/** What is canceled already is in the way (7.1). */
export const conflicting = (reasonCode: string) =>
  remembering(() => {
    const canceled = new Set<string>()
    return answering((reply, call) => {
      if (!at('/payments/cancel')(call)) return undefined
      const { transactionId = '' } = JSON.parse(textOf(call)) as { transactionId?: string }
      if (reply.http === 200) canceled.add(transactionId)
      return reply.http === 422 && canceled.has(transactionId) ? saying(409, reasonCode)(reply) : undefined
    })
  })

const declined = (reasonCode: string) => ({
  http: 200,
  body: JSON.stringify({ transactionId: 'declined', status: 'DECLINED', statusInfo: { reasonCode } }),
})

/** The provider is asked, and its no is a decline (S44). */
export const asking = answering((reply, call) => {
  if (at('/payments/charge')(call) && reply.http === 422) return declined('1010')
  return isInitiate(call) && /"amount":0\b.*"IRIS"/.test(textOf(call)) ? declined('4000') : undefined
})

/** Every payment has an amount, also one that only keeps a payer (2.2). */
export const wantingAmounts = answering((reply, call) => {
  if (!isInitiate(call) || !textOf(call).includes('"TOKEN_ONLY"')) return undefined
  return textOf(call).includes('"amount"') ? reply : { http: 400, body: '{"statusInfo":{"reasonCode":"4000"}}' }
})

/** The hash of a signature is SHA-512, that of the digest is none of that name (S21). */
export const digesting = onTheWire(headers => {
  headers.set('content-digest', headers.get('content-digest')?.replace('sha-512', 'sha-256') ?? '')
  return undefined
})

const isEverything = () => true

/** Publishes a key of its own and signs by it; what is covered is the status and the media type, and nothing is digested. */
const signingBy = ({ privateKey, publicKey }: ReturnType<typeof generateKeyPairSync>): Sabotage =>
  onTheWire((headers, body, call) => {
    const components = '("@status" "content-type");created=1;keyid="theirs"'
    const base = (status: string) =>
      Buffer.from(
        `"@status": ${status}\n"content-type": ${headers.get('content-type')}\n"@signature-params": ${components}`,
      )
    const status = String(call.reply?.http ?? 200)
    const signature = sign('sha512', base(status), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    headers.delete('content-digest')
    headers.delete('content-length')
    headers.set('signature-input', `service_sig=${components}`)
    headers.set('signature', `service_sig=:${signature.toString('base64')}:`)
    return at('/.well-known/jwks.json')(call) ? JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }) : body
  }, isEverything)

/** P-256 with SHA-512, by a key that has no name in the key set (D-27). */
export const signingItsOwnWay = remembering(() => signingBy(generateKeyPairSync('ec', { namedCurve: 'P-256' })))

/** 5.2 names the algorithms of requests only. */
export const signingByRsa = remembering(() => signingBy(generateKeyPairSync('rsa', { modulusLength: 2048 })))

/** The names of the headers are not shown (5.4). */
export const signingElsewhere = onTheWire(headers => {
  headers.set('x-jws-signature', `eyJhbGciOiJFUzI1NiJ9..${Buffer.alloc(64, 7).toString('base64url')}`)
  for (const name of ['signature', 'signature-input', 'content-digest']) headers.delete(name)
  return undefined
}, isEverything)

const RANDOM_UUID = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-/

/** Ids have a form (here: they are made in order), and what has another is malformed. */
export const mindingIds = instead(
  (call, { http, body }) =>
    http === 404 &&
    body.includes('"4001"') &&
    RANDOM_UUID.test(call.incoming.method === 'GET' ? String(call.incoming.url) : transactionIdIn(call)),
  saying(400, '4000'),
)

const transactionIdIn = (call: Parameters<typeof textOf>[0]): string =>
  String((JSON.parse(textOf(call)) as { transactionId?: string }).transactionId)

/** Whose account it is counts before the payment. */
export const mindingAccounts = instead(
  (call, { http }) => http === 404 && /"processingAccountId":"certify-second/.test(textOf(call)),
  saying(403, '4971'),
)

/** What was initiated is found a while later. */
export const searchingLate = telling(at('/payments/search'), body => ({ ...body, payments: [] }))

/** A mock can answer ACCEPTED, and this one does not (3). */
export const waiting = telling(isInitiate, body =>
  body.status === 'ACCEPTED' ? { ...body, status: 'PENDING' } : undefined,
)

export const redirectingPlainly = telling(isInitiate, body => {
  const { redirectUrl, ...details } = (body.providerDetails ?? {}) as { redirectUrl?: string }
  return redirectUrl === undefined
    ? undefined
    : { ...body, providerDetails: { ...details, redirectUrl: 'http://pages.sandbox.internal/pay' } }
})

/** 7.3 has a code for it and no status. */
export const lacking = refusing(501, '8003', { http: 400 })
