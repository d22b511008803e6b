import { expect, test } from 'vitest'
import { judgeConduct } from '../../contracts/conduct/judge-conduct.ts'
import { type MerchantTraffic, REACTION_TIME_MS } from '../../contracts/conduct/merchant-traffic.ts'
import { call, delivery, finalize, initiate, payment, status, traffic } from './sample-traffic.ts'

const of = (...calls: MerchantTraffic['calls']) => traffic({ calls })
const lost = (more = {}) => initiate(1, { status: 504, ...more })
const down = (second: number, more = {}) => initiate(second, { status: 502, ...more })
const locked = (second: number) => finalize(second, { status: 423, reasonCode: '5003' })
const refund = (second: number, more = {}) =>
  call(second, { operation: 'refund', transactionId: 'payment-1', idempotencyKey: 'back', body: { c: 1 }, ...more })
const refused = (more: object) => initiate(1, { status: 400, reasonCode: '4000', ...more })
const unsettled = (second: number, more = {}) => refund(second, { status: 422, reasonCode: '5002', ...more })
const AGREED = 'AWAITING_SHOPPER AUTHENTICATED'
const seconds = (count: number, every: number) => Array.from({ length: count }, (_, n) => status(1 + n * every))
const told = (second: number, more = {}) => delivery(second, 204, more)
const twice = [told(1, { notificationId: 'n' }), told(2, { notificationId: 'n' })]
const capture = (second: number, more = {}) =>
  call(second, {
    operation: 'capture',
    transactionId: 'payment-1',
    idempotencyKey: 'a',
    body: { amount: 300 },
    ...more,
  })
const parcel = (second: number, idempotencyKey: string) => capture(second, { idempotencyKey })
const ORDER = {
  processingAccountId: 'account-1',
  payerDetails: { payerId: 'payer-1' },
  paymentDetails: { amount: 1000 },
}
const search = (second: number, body: object) => call(second, { operation: 'search', body: { ...body } })
const searches = (...at: number[]) =>
  at.map(second => call(second, { operation: 'search', clientTransactionId: 'order-1' }))
const DAY = 86_400_000
const charge = (second: number, more = {}) => initiate(second, { operation: 'charge', clock: second * 1000, ...more })
const ranOut = payment('AUTHORIZED EXPIRED')
const payments = [payment('AWAITING_SHOPPER')]
const keys = [
  { keyId: 'old', registeredAt: 0 },
  { keyId: 'new', registeredAt: 5_000 },
]

const INVALID = {
  status: 400,
  reasonCode: '4000',
  refusedBy: 'validation',
  refusal: 'Content-Type must be application/json.',
}

/** Conformant merchant behaviour that a rule could mistake for a breach. */
// biome-ignore format: a table reads by its columns
const GOOD: readonly (readonly [what: string, rule: string, clause: string, seen: MerchantTraffic])[] = [
  ['it learns by a webhook what came of a lost answer, and goes on',            'CND-01', '7.4', traffic({ calls: [lost()], deliveries: [told(2)], payments })],
  ['it learns so, and lets the shopper begin anew',                             'CND-01', '7.4', traffic({ calls: [lost(), initiate(9, { idempotencyKey: 'x' })], deliveries: [told(2)], payments })],
  ['it reads the payment that a webhook named, before it begins anew',          'CND-01', '7.4', traffic({ calls: [lost(), status(3), initiate(4, { idempotencyKey: 'x' })], payments })],
  ['it searches its account for what came of a lost answer',                    'CND-01', '7.4', of(lost({ body: ORDER }), search(2, { processingAccountId: 'account-1', limit: 10 }))],
  ['it finds no payment of the shopper, and begins anew',                       'CND-01', '7.4', of(lost({ body: ORDER }), search(2, { payerId: 'payer-1', amountFrom: 1000, createdFrom: '1970-01-01T00:00:00Z' }), initiate(3, { body: ORDER, idempotencyKey: 'x' }))],
  ['it lists its payments before it refunds again',                             'CND-02', '7.4', of(unsettled(1), search(2, {}), unsettled(3, { idempotencyKey: 'x' }))],
  ['its backoff is longer than anybody has looked',                             'CND-01', '7.4', traffic({ calls: [lost()], until: 1_010 + REACTION_TIME_MS - 1 })],
  ['two charges of two shoppers are both uncertain',                            'CND-01', '7.4', of(...['a', 'b', 'a', 'b'].map((name, n) => call(n, { operation: 'charge', clientTransactionId: name, idempotencyKey: name, status: n < 2 ? 504 : 200 })))],
  ['it reads the status before it refunds again what was not settled',           'CND-02', '7.4', of(unsettled(1), status(2), unsettled(3, { idempotencyKey: 'x' }), status(4), refund(5, { idempotencyKey: 'y' }))],
  ['it searches for the order before it refunds again',                         'CND-02', '7.4', traffic({ calls: [unsettled(1), call(2, { operation: 'search', clientTransactionId: 'order-1' }), unsettled(3, { idempotencyKey: 'x' })], payments })],
  ['a webhook reports the settlement before it refunds again',                  'CND-02', '7.4', traffic({ calls: [unsettled(1), unsettled(3, { idempotencyKey: 'x' })], deliveries: [told(2)], payments })],
  ['it refunds again when the payment is settled, and is served',               'CND-02', '7.4', of(unsettled(1), refund(90, { idempotencyKey: 'x' }))],
  ['its bank is back, and it repeats what was declined for now',                'CND-02', '7.4', of(finalize(1, { reasonCode: '8004' }), finalize(9))],
  ['it tells the shopper of a decline for now, who tries with another code',    'CND-23', '7.4', of(initiate(1, { reasonCode: '8011' }), initiate(9, { idempotencyKey: 'x', body: { a: 2 } }))],
  ['its service replays every decline',                                         'CND-23', 'I3',  traffic({ replaysDeclines: true, calls: [finalize(1, { reasonCode: '8004' }), finalize(9, { idempotencyKey: 'x' })] })],
  ['it gives up after a decline for now',                                       'CND-20', '3',   traffic({ calls: [finalize(1, { reasonCode: '8004' })], payments: [payment(`${AGREED} EXPIRED`)] })],
  ['its finalize is pending at the bank',                                       'CND-20', '2.2', traffic({ calls: [finalize(1), finalize(2)], payments: [payment(AGREED)] })],
  ['its finalize is pending, and its shopper never returned',                   'CND-18', '3',   traffic({ calls: [finalize(1)], payments: [payment(AGREED, { neverReturned: true })] })],
  ['its finalize is pending after a webhook out of order',                      'CND-17', '6',   traffic({ calls: [finalize(2)], deliveries: [told(1, { injected: ['reorder'] })], payments: [payment(AGREED)] })],
  ['its finalize timed out, may be carried out late, and it reads the status',  'CND-20', '7.4', traffic({ calls: [finalize(1, { status: 504 }), status(2)], payments: [payment(AGREED)] })],
  ['its cancel is pending at the bank',                                         'CND-20', '3',   traffic({ calls: [finalize(1, { operation: 'cancel' })], payments: [payment(AGREED)] })],
  ['it cancels what its shopper has left',                                      'CND-20', '3',   traffic({ payments: [payment(`${AGREED} CANCELED`)] })],
  ['it keeps a shop for later payments',                                        'CND-20', '3',   traffic({ payments: [payment(`${AGREED} TOKENIZED`)] })],
  ['it sends the body again with a right signature',                            'CND-02', '7.4', of(refused({ reasonCode: '4990', refusedBy: 'signature' }), initiate(2))],
  ['it corrects its Content-Type',                                              'CND-02', '7.4', of(refund(1, INVALID), refund(2, { idempotencyKey: 'x' }))],
  ['it corrects one header after the other',                                    'CND-02', '7.4', of(...['a', 'b', 'c'].map((refusal, at) => refund(at, { ...INVALID, refusal, idempotencyKey: refusal })))],
  ['it sends the body again with the scope that was missing',                   'CND-02', '7.4', of(refused({ status: 403, reasonCode: '4971', refusedBy: 'operation' }), initiate(2))],
  ['it had forgotten the key and adds it',                                      'CND-02', 'I1',  of({ ...refused({}), idempotencyKey: undefined } as never, initiate(2))],
  ['it gave up waiting, and sends the call again under its key',                'CND-02', '7.4', of(refused({ endedAt: 4_000 }), initiate(5, { status: 400, reasonCode: '4000' }))],
  ['two processes finalize under one key when a webhook and the shopper come',  'CND-02', 'I3',  of(finalize(1, { reasonCode: '2001' }), finalize(1.1, { reasonCode: '2001' }))],
  ['one of two equal captures is declined while the other waits',             'CND-02', '7.4', of(capture(1, { status: 429 }), capture(2, { idempotencyKey: 'b', reasonCode: '1001' }), capture(3))],
  ["next month's charge is declined as this month's",                           'CND-02', '2.1', of(charge(1, { reasonCode: '1001' }), charge(2, { idempotencyKey: 'b', reasonCode: '1001', clock: 30 * DAY }))],
  ["next month's charge follows one that was declined for now",                 'CND-23', '2.1', of(charge(1, { reasonCode: '8004' }), charge(2, { idempotencyKey: 'b', clock: 30 * DAY }))],
  ['another payment of the same shopper is served after a decline',             'CND-02', '2.1', of(charge(1, { reasonCode: '1001' }), charge(60, { idempotencyKey: 'b', reasonCode: '-1' }))],
  ['its shopper was too slow and tries once more',                              'CND-02', '7.3', of(finalize(1, { reasonCode: '2000' }), finalize(9))],
  ['its backoff is spread at random, and the second wait happens to be short',  'CND-04', '7.1', of(down(1), down(3), initiate(4))],
  ['its backoff doubles from 20 ms',                                            'CND-04', '7.1', of(down(1), down(1.03), initiate(1.08))],
  ['its backoff is spread at random, and two waits happen to be alike',         'CND-04', '7.1', of(down(1), down(1.04), initiate(1.08))],
  ['two captures of one amount are made while calls are limited',               'CND-03', '7.1', of(...['a', 'b', 'a', 'b'].map((idempotencyKey, n) => call(n < 2 ? 1 + n / 10 : 3 + n, { operation: 'capture', transactionId: 'payment-1', idempotencyKey, body: { amount: 1 }, status: n < 2 ? 429 : 200, ...(n < 2 ? { retryAfter: 2 } : {}) })))],
  ['two shoppers pay alike, and one is asked to wait',                          'CND-03', '7.1', of(initiate(1, { status: 429, retryAfter: 2 }), initiate(2, { idempotencyKey: 'x' }), initiate(4))],
  ['its shopper comes again with the same code when calls were limited',        'CND-23', 'I2',  of(initiate(1, { status: 429, retryAfter: 2 }), initiate(9, { idempotencyKey: 'x' }))],
  ['each of four processes is asked to wait for its token',                     'CND-03', '7.1', of(...[1, 1.1, 1.2, 1.3, 70].map(second => call(second, second < 2 ? { status: 429, retryAfter: 60 } : {})))],
  ['its backoff has reached its longest wait',                                  'CND-04', '7.1', of(down(1), down(2), down(4), down(8), down(12), initiate(16))],
  ['423 is tried again twice after the same short while',                       'CND-04', '7.1', of(locked(1), locked(2), finalize(3))],
  ['it looks again every half a minute, and no faster',                         'CND-04', '7.1', of(down(1), down(31), initiate(61))],
  ['a retry spells its JSON in another order',                                  'CND-05', 'I3',  of(initiate(1, { body: { a: 1, b: 2 } }), initiate(2, { body: { b: 2, a: 1 } }))],
  ['a refused request is mended under its key',                                 'CND-05', 'I2',  of(refused({}), initiate(2, { body: { a: 2 } }))],
  ['the right payload follows under the key',                                   'CND-05', 'I4',  of(initiate(1), initiate(2))],
  ['each of four processes has a token of its own',                             'CND-06', '5.3', of(call(1), call(1), call(1), call(1), ...seconds(6, 10))],
  ['a token for every charge has ended before the next month',                  'CND-06', '5.3', of(...[0, 1, 2, 3, 4, 5].flatMap(n => [call(2 * n, { clock: n * 30 * DAY }), charge(2 * n + 1, { clientTransactionId: `o${n}`, idempotencyKey: `k${n}`, clock: n * 30 * DAY + 1 })]))],
  ['another process has fetched the new token already',                         'CND-07', '5.3', of(call(1), finalize(2, { status: 401, reasonCode: '4061' }), finalize(3))],
  ['the refused call has only just been answered',                              'CND-07', '5.3', traffic({ calls: [status(1, { status: 401, reasonCode: '4061' })], until: 2_000 })],
  ['it has no webhook endpoint and looks every second',                         'CND-08', '6',   of(...seconds(45, 1))],
  ['it has an endpoint and looks every five seconds for half an hour',          'CND-08', '6',   traffic({ calls: seconds(360, 5), deliveries: [told(0)] })],
  ['it searches for five payments of one reference',                            'CND-08', '6',   traffic({ calls: searches(1, 1, 2, 2, 3), payments: [...payments, payment('AWAITING_SHOPPER', { transactionId: 'payment-2' })] })],
  ['it looks once a day, and a test moves its clock by days',                    'CND-08', '6',   of(...[0, 1, 2, 3, 4].map(n => status(1 + n / 10, { clock: n * DAY })))],
  ['two processes look when a webhook came',                                    'CND-08', '6',   traffic({ calls: [1, 1, 2, 2, 3, 3, 4, 4, 5, 5].map(second => status(second)), deliveries: [1, 2, 3, 4, 5].map(second => told(second)) })],
  ['two refunds in part are made after a notification came twice',              'CND-14', '6',   traffic({ deliveries: [told(1, { notificationId: 'n' }), told(2, { notificationId: 'n' })], calls: ['a', 'b'].map((key, n) => call(3 + n, { operation: 'refund', transactionId: 'payment-1', idempotencyKey: key, body: { reference: key } })) })],
  ['each of its two endpoints gets a notification, and two equal parts are captured', 'CND-14', '6', traffic({ deliveries: [told(1, { notificationId: 'n' }), told(1, { notificationId: 'n', endpointId: 'endpoint-2' })], calls: [parcel(2, 'a'), parcel(3, 'b')] })],
  ['an equal part is captured before a notification comes again',               'CND-14', '6',   traffic({ deliveries: twice, calls: [parcel(1.2, 'a'), parcel(1.5, 'b')] })],
  ['an equal part is captured long after a notification came twice',            'CND-14', '6',   traffic({ deliveries: twice, calls: [parcel(3, 'a'), parcel(500, 'b')] })],
  ['a finalize that was refused is called anew',                                'CND-14', '6',   traffic({ deliveries: [told(1, { notificationId: 'n' }), told(2, { notificationId: 'n' })], calls: [finalize(3, { status: 401, refusedBy: 'token' }), finalize(4, { idempotencyKey: 'x' })] })],
  ['it refuses an unknown type with a wrong key',                               'CND-10', '6',   traffic({ deliveries: [delivery(1, 401, { injected: ['unknown-type', 'wrong-key'] })] })],
  ['it refuses an old timestamp that came out of order',                        'CND-17', '6',   traffic({ deliveries: [delivery(1, 401, { injected: ['reorder', 'stale-timestamp'] })] })],
  ['the webhook has come and finalize is on its way',                           'CND-17', '6',   traffic({ deliveries: [delivery(1, 204, { injected: ['reorder'] })], payments: [payment(AGREED)], until: 2_000 })],
  ['the shopper left a moment ago',                                             'CND-18', '3',   traffic({ payments: [payment(AGREED, { neverReturned: true, lastShopperActionAt: 1_000 })], until: 2_000 })],
  ['the old key goes on for a while beside the new one',                        'CND-19', '5.2', traffic({ keys, calls: [status(1, { keyId: 'old' }), status(6, { keyId: 'old' })] })],
  ['one process takes the new key later than another',                          'CND-19', '5.2', traffic({ keys, calls: ['old', 'new', 'old', 'new'].map((keyId, n) => status(n, { keyId })) })],
  ['the shopper has agreed a moment ago',                                       'CND-20', '2.2', traffic({ payments: [payment(AGREED, { lastShopperActionAt: 1_000 })], until: 2_000 })],
  ['its capture was declined, and the authorization ran out',                   'CND-21', 'R3',  traffic({ calls: [capture(1, { reasonCode: '5020' })], payments: [ranOut] })],
  ['its cancel was declined, and the authorization ran out',                    'CND-21', 'R3',  traffic({ calls: [capture(1, { operation: 'cancel', reasonCode: '5021' })], payments: [ranOut] })],
  ['the scheme does not support its capture, and the authorization ran out',    'CND-21', 'R3',  traffic({ calls: [capture(1, { status: 501, reasonCode: '8003' })], payments: [ranOut] })],
  ['an article number (EAN-13) has the check digit of a card',                  'CND-22', '2.2', of(initiate(1, { body: { description: 'Stabilo pen, EAN 4006381333924' } }))],
  ['an order number begins with its date and has the check digit of a card',    'CND-22', '2.2', of(initiate(1, { body: { description: 'Order 2611 2800 0000 0013' } }))],
  ['an account number has the length and the check digit of a card',            'CND-22', '2.2', of(initiate(1, { body: { description: 'PL61 2490 0005 0000 4539 8726 0000' } }))],
  ['an order number has the length and the check digit of a card',              'CND-22', '2.2', of(initiate(1, { body: { description: 'Order 2026 0000 0000 0014' } }))],
]

test.each(GOOD)('%s: %s is kept (%s)', (_, id, __, seen) => {
  const broken = judgeConduct(seen).filter(({ verdict }) => verdict === 'fail')
  expect(broken.map(rule => [rule.id, rule.breaches[0]?.said])).toEqual([])
  expect(judgeConduct(seen).map(rule => rule.id)).toContain(id)
})

// biome-ignore format: a table reads by its columns
test.each<[what: string, rule: string, seen: MerchantTraffic]>([
  ['423 tried a third time, however slowly', 'CND-04', of(locked(1), locked(2), locked(4), locked(8), finalize(16))],
  ['423 tried twice at once',                'CND-04', of(locked(1), locked(1.012), finalize(1.024))],
  ['a capture refused as malformed',         'CND-21', traffic({ calls: [capture(1, { status: 400, reasonCode: '4000' })], payments: [ranOut] })],
  ['a finalize that was refused and no more','CND-20', traffic({ calls: [finalize(1, { status: 403, reasonCode: '4971' })], payments: [payment(AGREED)] })],
  ['a finalize timed out, and the consent expired', 'CND-20', traffic({ calls: [finalize(1, { status: 504 }), status(2)], payments: [payment(`${AGREED} EXPIRED`)] })],
  ['an invalid refund sent again as it was', 'CND-02', of(refund(1, INVALID), refund(2, { ...INVALID, idempotencyKey: 'x' }))],
  ['a refund repeated while unsettled',      'CND-02', of(unsettled(1), unsettled(2, { idempotencyKey: 'x' }), status(3))],
  ['a refund repeated, its status read late','CND-02', of(status(0), unsettled(1), unsettled(2, { idempotencyKey: 'x' }))],
  ['another payment read in between',        'CND-02', of(unsettled(1), status(2, { transactionId: 'payment-2' }), unsettled(3, { idempotencyKey: 'x' }))],
  ['the code of the call in its metadata',   'CND-22', of(initiate(1, { body: { payerDetails: { oneTimeCode: '123456' }, metadata: { code: 'BLIK 123456' } } }))],
  ['a declined charge sent again, and declined', 'CND-02', of(charge(1, { reasonCode: '1001' }), charge(2, { idempotencyKey: 'b', reasonCode: '1001' }))],
  ['a declined cancel sent again, and declined', 'CND-02', of(capture(1, { operation: 'cancel', reasonCode: '5021' }), capture(2, { operation: 'cancel', reasonCode: '5021', idempotencyKey: 'b' }))],
  ...[{ processingAccountId: 'account-2' }, { payerId: 'payer-2' }, { amountTo: 999 }, { createdFrom: '1970-01-01T00:01:00Z' }, { createdTo: '1970-01-01T00:00:00Z' }].map(
    (body): [string, string, MerchantTraffic] => [`a new key after a search by ${Object.keys(body)}`, 'CND-01', of(lost({ body: ORDER, clock: 1_000 }), search(2, body), initiate(3, { body: ORDER, idempotencyKey: 'x' }))],
  ),
  ['a payment polled by searches for its order', 'CND-08', traffic({ calls: [status(0), ...searches(1, 1, 2, 2, 3)], payments })],
  ['a new key after a read that was refused','CND-01', traffic({ calls: [lost(), status(2, { status: 429 }), initiate(3, { idempotencyKey: 'x' })], payments })],
  ['a new key after a read that was lost',   'CND-01', traffic({ calls: [lost(), status(2, { injectedFault: 'reset' }), initiate(3, { idempotencyKey: 'x' })], payments })],
  ['a decline sent again and again under its key', 'CND-02', of(...[1, 2, 3, 4, 5].map(second => finalize(second, { reasonCode: '2001' })))],
  ['a decline sent again after a read',      'CND-02', of(finalize(1, { reasonCode: '2001' }), status(2), finalize(3, { idempotencyKey: 'x' }))],
  ['a decline sent again in another order',  'CND-02', of(finalize(1, { body: { a: 1, b: 2 }, reasonCode: '2001' }), finalize(2, { body: { b: 2, a: 1 }, idempotencyKey: 'x' }))],
])('%s breaks %s all the same', (_, id, seen) => {
  expect(judgeConduct(seen).flatMap(rule => (rule.verdict === 'fail' ? rule.id : []))).toEqual([id])
})

test('a missing step is a breach once its time is over', () => {
  for (const seen of [
    of(lost()),
    of(status(1, { status: 401, reasonCode: '4061' })),
    traffic({ payments: [payment(AGREED, { lastShopperActionAt: 1_000 })] }),
    traffic({ payments: [payment(AGREED, { neverReturned: true })] }),
  ])
    expect(judgeConduct(seen).filter(({ verdict }) => verdict === 'fail')).toHaveLength(1)
})
