import { type RawRequest, type RawRequestParts, serializeRequest } from './create-signed-raw-request.ts'
import { mutateByte, mutateHeader, mutateJson, mutateText } from './mutate-request-parts.ts'
import { irisInitiateBody } from './raw-request-sandbox.ts'
import type { SeededRandom } from './seeded-random.ts'

const ACT = { processingAccountId: 'demo-merchant-account-1', clientTransactionId: 'act', transactionId: 'nobody' }
const FORM = 'application/x-www-form-urlencoded'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const TYPES = ['application/json', 'application/json;charset=x', FORM, 'text/plain', 'x', '/;=', 'multipart/form-data']
const HOSTS = ['localhost', 'LOCALHOST:1', '[::1]:8443', 'a.b.c', 'xn--x', '1.2.3.4']

/** Parts of valid requests of every kind. */
const GOOD: readonly (() => RawRequestParts & { body?: string | object })[] = [
  () => ({ body: irisInitiateBody() }),
  () => ({ body: irisInitiateBody({ metadata: { a: 'b' }, requestContext: { channel: 'WEB', locale: 'el-GR' } }) }),
  () => ({
    target: '/payments/finalize',
    body: { processingAccountId: ACT.processingAccountId, transactionId: ACT.transactionId },
  }),
  () => ({ target: '/payments/capture', body: { ...ACT, paymentDetails: { amount: 1 } } }),
  () => ({ target: '/payments/cancel', body: ACT }),
  () => ({ target: '/payments/refund', body: { ...ACT, paymentDetails: { amount: 1, description: 'x' } } }),
  () => ({ target: '/payments/nobody/status' }),
  () => ({ target: '/payments/nobody/events?x=y' }),
  () => ({ target: '/.well-known/jwks.json' }),
  () => ({
    target: '/auth/token',
    contentType: FORM,
    body: 'grant_type=client_credentials&client_id=demo-merchant&scope=payments:process',
  }),
]

const spoilBody = (parts: RawRequestParts, chance: SeededRandom): RawRequestParts => {
  if (typeof parts.body === 'string') return { ...parts, body: mutateText(parts.body, chance) }
  if (parts.body === undefined) return { ...parts, body: chance.pick(['', '{}', 'x']) }
  const json = mutateJson(parts.body as Record<string, unknown>, chance)
  return { ...parts, body: chance.below(3) === 0 ? mutateText(JSON.stringify(json), chance) : json }
}

/** Mutates the request target, without spaces and control characters. */
const spoilTarget = (parts: RawRequestParts, chance: SeededRandom): RawRequestParts => ({
  ...parts,
  target: `/${mutateText(parts.target ?? '/payments/initiate', chance).replace(/[^!-~]|^\//g, '')}`,
})

/** Mutations of a request before it is signed. */
const BEFORE_SIGNING: readonly ((parts: RawRequestParts, chance: SeededRandom) => RawRequestParts)[] = [
  spoilBody,
  spoilBody,
  spoilBody,
  spoilTarget,
  (parts, chance) => ({ ...parts, method: chance.pick(METHODS) }),
  (parts, chance) => ({ ...parts, contentType: chance.pick(TYPES) }),
  (parts, chance) => ({ ...parts, host: chance.pick(HOSTS) }),
  (parts, chance) => ({ ...parts, token: chance.pick([null, 'x', 'a.b.c']) }),
  (parts, chance) => ({ ...parts, key: chance.pick(['', ' ', 'same', 'k'.repeat(300)]) }),
]

/** Creates the bytes of a test's signed request with one or two random mutations. */
export const createMutatedRequest = async (
  chance: SeededRandom,
  sign: (parts: RawRequestParts) => Promise<RawRequest>,
): Promise<Buffer> => {
  let parts: RawRequestParts = chance.pick(GOOD)()
  const before = chance.below(3)
  for (let times = 0; times < before; times += 1) parts = chance.pick(BEFORE_SIGNING)(parts, chance)
  const message = await sign(parts)
  if (before === 2) return serializeRequest(message)
  return chance.below(3) === 0 ? mutateByte(message, chance) : serializeRequest(mutateHeader(message, chance))
}
