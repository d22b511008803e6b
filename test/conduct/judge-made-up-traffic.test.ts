import { describe, expect, test } from 'vitest'
import { CONDUCT_RULES, judgeConduct } from '../../contracts/conduct/judge-conduct.ts'
import {
  type ClientDelivery,
  type ClientKey,
  type MerchantTraffic,
  operationAt,
} from '../../contracts/conduct/merchant-traffic.ts'
import { call, delivery, finalize, initiate, payment, status, traffic } from './sample-traffic.ts'

const of = (...calls: MerchantTraffic['calls']) => traffic({ calls })
const sent = (...deliveries: MerchantTraffic['deliveries']) => traffic({ deliveries })
const paid = (...payments: MerchantTraffic['payments']) => traffic({ payments })

const lost = initiate(1, { status: 504 })
const declined = finalize(1, { reasonCode: '2001' })
const passing = (second: number) => finalize(second, { reasonCode: '8004' })
const limited = initiate(1, { status: 429, retryAfter: 2 })
const down = (second: number) => initiate(second, { status: 502 })
const ended = status(1, { status: 401, reasonCode: '4061' })
const tampered = initiate(1, { injectedFault: 'tampered' })
const token = (second: number) => call(second)
const tokens = [1, 2, 3, 4, 5, 6].map(token)
const reads = (...seconds: number[]) => seconds.map(second => status(second))
const noted = (text: string) => initiate(1, { body: { metadata: { note: text } } })
const spoiled = (deviation: ClientDelivery['injected'][number], answered: number) =>
  delivery(1, answered, { injected: [deviation] })
const twice = [delivery(1, 204, { notificationId: 'same' }), delivery(2, 204, { notificationId: 'same' })]
const timed = (deviation: ClientDelivery['injected'][number], states: string, answered = 204) =>
  traffic({ deliveries: [spoiled(deviation, answered)], payments: [payment(states)] })
const WAITING = 'AWAITING_SHOPPER AUTHENTICATED'
const DONE = `${WAITING} AUTHORIZED CAPTURED`

/** For each rule: traffic that keeps it, that breaks it, and that gives it no occasion. */
// biome-ignore format: a table reads by its columns
const ROWS: Readonly<Record<string, readonly [kept: MerchantTraffic, broken: MerchantTraffic, idle: MerchantTraffic]>> = {
  'CND-01': [of(lost, initiate(2)),                  of(lost, initiate(2, { idempotencyKey: 'new' })), of(initiate(1))],
  'CND-02': [of(declined, status(2)),                of(declined, finalize(2, { idempotencyKey: 'x' })), of(finalize(1))],
  'CND-03': [of(limited, initiate(4)),               of(limited, initiate(2)),                         of(limited)],
  'CND-04': [of(down(1), down(2), initiate(5)),      of(down(1), down(2), down(3), initiate(4)),       of(down(1), initiate(2))],
  'CND-05': [of(initiate(1), finalize(2)),           of(initiate(1), finalize(2, { idempotencyKey: 'one' })), of(status(1))],
  'CND-06': [of(token(1), ...reads(2, 3, 4, 5, 6, 7)), of(...tokens, ...reads(8, 9, 10, 11, 12, 13)), of(token(1), status(2))],
  'CND-07': [of(ended, token(2), status(3)),         of(ended, status(2, { status: 401 })),            of(status(1))],
  'CND-08': [of(...reads(1, 9)),                     of(...reads(1, 1, 2, 2, 3)),                      of(token(1))],
  'CND-09': [of(tampered, initiate(2)),              of(tampered, finalize(2, { transactionId: '0badc0de-1' })), of(initiate(1))],
  'CND-10': [sent(spoiled('extra-field', 204)),      sent(spoiled('unknown-type', 400)),               sent(delivery(1, 204))],
  'CND-11': [sent(spoiled('wrong-key', 401)),        sent(spoiled('wrong-key', 204)),                  sent(delivery(1, 204))],
  'CND-12': [sent(spoiled('stale-timestamp', 401)),  sent(spoiled('stale-timestamp', 204)),            sent(delivery(1, 204))],
  'CND-13': [sent(delivery(1, 204)),                 sent(delivery(1, 500)),                           sent(spoiled('wrong-key', 401))],
  'CND-14': [traffic({ deliveries: twice, calls: [finalize(3)] }),
             traffic({ deliveries: twice, calls: [finalize(3), finalize(4, { idempotencyKey: 'x' })] }),
             sent(...['a', 'b'].map(endpointId => delivery(1, 204, { notificationId: 'same', endpointId })))],
  'CND-15': [timed('before-response', DONE),           timed('before-response', WAITING),                  sent(delivery(1, 204))],
  'CND-16': [timed('before-return', DONE),           timed('before-return', DONE, 500),                sent(delivery(1, 204))],
  'CND-17': [timed('reorder', DONE),                 timed('reorder', WAITING),                        sent(delivery(1, 204))],
  'CND-18': [paid(payment(DONE, { neverReturned: true })), paid(payment(WAITING, { neverReturned: true })), paid(payment(WAITING))],
  'CND-20': [paid(payment(DONE)),                    paid(payment(`${WAITING} EXPIRED`)),              paid(payment(WAITING, { neverReturned: true }))],
  'CND-21': [paid(payment(`${WAITING} AUTHORIZED CANCELED`)), paid(payment(`${WAITING} AUTHORIZED EXPIRED`)), paid(payment(WAITING))],
  'CND-22': [of(noted('table 4, order 4111 1111 1111 1112')), of(noted('card 4111 1111 1111 1111')),   of(initiate(1))],
  'CND-23': [of(passing(1), finalize(3)),            of(passing(1), finalize(3, { idempotencyKey: 'x' })), of(passing(1), status(2))],
  'CND-19': rotation(),
}

/** Calls with the old key, a new one, then calls with either. */
function rotation(): readonly [MerchantTraffic, MerchantTraffic, MerchantTraffic] {
  const keys: ClientKey[] = [
    { keyId: 'old', registeredAt: 0 },
    { keyId: 'new', registeredAt: 5_000 },
  ]
  const by = (second: number, keyId: string) => status(second, { keyId })
  return [
    traffic({ keys, calls: [by(1, 'old'), by(6, 'old'), by(7, 'new')] }),
    traffic({ keys, calls: [by(1, 'old'), status(8, { endedKey: 'old', status: 401 })] }),
    traffic({ keys, calls: [by(1, 'old'), by(6, 'old')] }),
  ]
}

// biome-ignore format: a table reads by its columns
test.each<[line: string, operation: string | undefined]>([
  ['POST /payments/initiate',        'initiate'],
  ['POST /v1/payments/refund?a=b',   'refund'],
  ['GET /payments/1234/status',      'status'],
  ['GET /payments/1234/status/more', undefined],
  ['GET /payments/initiate',         undefined],
  ['GET /.well-known/jwks.json',     'keySet'],
  ['GET /elsewhere',                 undefined],
])('%s is the operation %s', (line, operation) => {
  expect(operationAt(...(line.split(' ') as [string, string]))).toBe(operation)
})

test('every rule has its row', () => {
  expect(Object.keys(ROWS).sort()).toEqual(CONDUCT_RULES.map(({ id }) => id))
})

describe.each(CONDUCT_RULES)('$id ($clause): $title', rule => {
  const [kept, broken, idle] = ROWS[rule.id] ?? []
  const judged = (seen: MerchantTraffic | undefined) => judgeConduct(seen ?? traffic({}), [rule])[0]

  test('passes where it is kept, with its evidence', () => {
    expect(judged(kept)).toMatchObject({ verdict: 'pass', breaches: [] })
    expect(judged(kept)?.kept).not.toEqual([])
  })
  test('fails where it is broken, in a sentence with its evidence', () => {
    expect(judged(broken)).toMatchObject({
      verdict: 'fail',
      breaches: [{ said: expect.stringMatching(/^\w.*\.$/) }],
    })
    expect(judged(broken)?.breaches[0]?.evidence).not.toEqual([])
  })
  test('is not exercised without an occasion or without traffic', () => {
    expect(judged(idle)?.verdict).toBe('not exercised')
    expect(judged(undefined)?.verdict).toBe('not exercised')
  })
})

test('9: a body nested too deep to compare does not stop the judging of other rules', () => {
  const deep = JSON.parse(`{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`)
  const again = [2, 3].map(second => finalize(second, { reasonCode: '2001', body: deep }))
  expect(judgeConduct(of(...again)).find(({ id }) => id === 'CND-02')?.verdict).toBe('pass')
})

/** Returns how often members of calls are read while so many of them are judged. */
const readsWhileJudging = (count: number, nth: (n: number) => MerchantTraffic['calls'][number]): number => {
  let reads = 0
  const counted = (_: unknown, n: number) =>
    new Proxy(nth(n), {
      get: (one, member) => {
        reads += 1
        return Reflect.get(one, member)
      },
    })
  judgeConduct(traffic({ calls: Array.from({ length: count }, counted), until: 1e12 }))
  return reads
}

// biome-ignore format: a table reads by its columns
test.each<[what: string, nth: (n: number) => MerchantTraffic['calls'][number]]>([
  ['declined charges',                n => initiate(n, { operation: 'charge', clientTransactionId: `o${n}`, idempotencyKey: `k${n}`, reasonCode: '1001' })],
  ['lost charges with no end',        n => initiate(n, { operation: 'charge', clientTransactionId: `o${n}`, idempotencyKey: `k${n}`, status: 504 })],
  ['declines of one call',            n => finalize(n, { reasonCode: '2001' })],
  ['declines under new keys',         n => finalize(n, { reasonCode: '2001', idempotencyKey: `k${n}` })],
  ['failures of one call',            n => down(n)],
  ['reads that are limited',          n => status(n, { status: 429, retryAfter: 60 })],
  ['calls with a token that ended',   n => finalize(n, { status: 401, reasonCode: '4061', idempotencyKey: `k${n}` })],
  ['lost refunds, and open searches', n => (n % 2 ? call(n, { operation: 'search', body: { payerId: 'x' } }) : finalize(n, { status: 504, idempotencyKey: `k${n}` }))],
])('twice as many %s take about twice as long to judge', (_, nth) => {
  expect(readsWhileJudging(800, nth) / readsWhileJudging(400, nth)).toBeLessThan(2.5)
})

// biome-ignore format: a table reads by its columns
test.each<[rule: string, seen: MerchantTraffic, said: string]>([
  ['CND-03', of(limited, initiate(1.0123200683)),                     'initiate came back after 2 ms; Retry-After said 2 s.'],
  ['CND-04', of(down(1), down(2.0000200683), down(3.0000300683), initiate(4)), 'initiate was repeated after 990 ms, then 990 ms, then 989 ms.'],
])('7.1: the breach of %s states waits in whole milliseconds', (id, seen, said) => {
  expect(judgeConduct(seen).find(rule => rule.id === id)?.breaches[0]?.said).toBe(said)
})

test.each<[said: string, seen: MerchantTraffic]>([
  [
    'initiate was left uncertain: nothing followed that tells its outcome.',
    traffic({ calls: [lost], until: Number.MAX_SAFE_INTEGER }),
  ],
  [
    'A webhook was not acknowledged: answered timeout.',
    sent(delivery(1, 204, { attempts: [{ startedAt: 1, endedAt: 2, error: 'timeout' }] })),
  ],
  ['initiate was repeated after 2 ms, then 4 ms, then 3 ms.', of(down(1), down(1.0125), down(1.027), initiate(1.0405))],
])('a rule that is broken in another way than in its row says: %s', (said, seen) => {
  expect(judgeConduct(seen).flatMap(({ breaches }) => breaches.map(one => one.said))).toEqual([said])
})

const NEW_KEYS = ['k', 'l', 'm', 'n', 'o'].map(idempotencyKey => ({ idempotencyKey }))
const limitedRead = (second: number) => status(second, { status: 429, retryAfter: 60 })
const locked = (second: number, more = {}) => finalize(second, { status: 423, reasonCode: '5003', ...more })

// biome-ignore format: a table reads by its columns
test.each<[what: string, rules: string, seen: MerchantTraffic]>([
  ['a new key at once after 429',               'CND-03',        of(limited, initiate(1.5, { idempotencyKey: 'x' }))],
  ['a new key after 429, on a payment',         'CND-23',        of(finalize(1, { status: 429, retryAfter: 1 }), finalize(3, { idempotencyKey: 'x' }))],
  ['a new key for each of two 423',             'CND-23',        of(locked(1, NEW_KEYS[0]), locked(2, NEW_KEYS[1]), finalize(3, NEW_KEYS[2]))],
  ['a new key for each of four 423',            'CND-04 CND-23', of(...NEW_KEYS.map((key, n) => (n < 4 ? locked(n * n, key) : finalize(n * n, key))))],
  ['a constant pace with a new key for each, read between', 'CND-04', of(...NEW_KEYS.slice(0, 4).flatMap((key, n) => [finalize(n, { ...key, status: n < 3 ? 502 : 200 }), status(n + 0.5)]))],
  ['a status that is hammered during Retry-After', 'CND-03',     of(...[1, 2, 3, 4, 5].map(limitedRead))],
  ['a token that is hammered during Retry-After',  'CND-03',     of(...[1, 2, 3, 4, 5].map(second => call(second, { status: 429, retryAfter: 60 })))],
])('7.1, I2: %s breaks %s', (_, rules, seen) => {
  const failed = judgeConduct(seen).flatMap(({ id, verdict }) => (verdict === 'fail' ? id : []))
  expect(failed.join(' ')).toBe(rules)
})
