import { type Message, type Parts, render } from './message.ts'
import { type Chance, mutateHeader, mutateJson, mutateOctet, mutateText } from './mutate.ts'
import { irisPayment } from './sandbox.ts'

const ACT = { processingAccountId: 'demo-merchant-account-1', clientTransactionId: 'act', transactionId: 'nobody' }
const FORM = 'application/x-www-form-urlencoded'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const TYPES = ['application/json', 'application/json;charset=x', FORM, 'text/plain', 'x', '/;=', 'multipart/form-data']
const HOSTS = ['localhost', 'LOCALHOST:1', '[::1]:8443', 'a.b.c', 'xn--x', '1.2.3.4']

/** Good requests of every kind, as parts to sign. */
const GOOD: readonly (() => Parts & { body?: string | object })[] = [
  () => ({ body: irisPayment() }),
  () => ({ body: irisPayment({ metadata: { a: 'b' }, requestContext: { channel: 'WEB', locale: 'el-GR' } }) }),
  () => ({ target: '/payments/finalize', body: ACT }),
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

const spoilBody = (parts: Parts, chance: Chance): Parts => {
  if (typeof parts.body === 'string') return { ...parts, body: mutateText(parts.body, chance) }
  if (parts.body === undefined) return { ...parts, body: chance.pick(['', '{}', 'x']) }
  const json = mutateJson(parts.body as Record<string, unknown>, chance)
  return { ...parts, body: chance.below(3) === 0 ? mutateText(JSON.stringify(json), chance) : json }
}

/** A request target holds no blanks and no control characters, or it is no target. */
const spoilTarget = (parts: Parts, chance: Chance): Parts => ({
  ...parts,
  target: `/${mutateText(parts.target ?? '/payments/initiate', chance).replace(/[^!-~]|^\//g, '')}`,
})

/** What may be wrong already when a request is signed. */
const BEFORE_SIGNING: readonly ((parts: Parts, chance: Chance) => Parts)[] = [
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

/** A good request that goes wrong at one place or two. */
export const spoilt = async (chance: Chance, sign: (parts: Parts) => Promise<Message>): Promise<Buffer> => {
  let parts: Parts = chance.pick(GOOD)()
  const before = chance.below(3)
  for (let times = 0; times < before; times += 1) parts = chance.pick(BEFORE_SIGNING)(parts, chance)
  const message = await sign(parts)
  if (before === 2) return render(message)
  return chance.below(3) === 0 ? mutateOctet(message, chance) : render(mutateHeader(message, chance))
}
