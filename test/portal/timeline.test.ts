import { describe, expect, test } from 'vitest'
import { buildTimeline } from '../../simulator/timeline/timeline.ts'
import { callAt, deliveryAt, eventAt, ID, messageAt, paymentHistoryOf, START } from './payment-history-builders.ts'

const told = (record: Parameters<typeof buildTimeline>[0]) =>
  buildTimeline(record).map(mark => `${mark.lane} ${mark.at - START}`)

describe('the timeline of a payment', () => {
  test('holds all kinds of marks in order of time', () => {
    const record = paymentHistoryOf({
      calls: [callAt(5), callAt(3_000)],
      events: [eventAt(5), eventAt(2_000)],
      deliveries: [deliveryAt(6, [500, 200])],
      activities: [
        { kind: 'shopper', at: START + 2_000, transactionId: ID, action: 'approve', real: START + 1_999 },
        {
          kind: 'clock',
          at: START + 4_000,
          until: START + 20_000,
          way: 'advance',
          rate: 1,
          ran: 1,
          real: START + 4_000,
        },
      ],
    })
    expect(told(record)).toEqual([
      'call 5',
      'state 5',
      'webhook 6',
      'shopper 2000',
      'state 2000',
      'call 3000',
      'clock 4000',
      'webhook 10006',
    ])
  })

  test.each([
    ['in our order', '{"reasonCode":"2001","message":"Declined"}'],
    ['in another order', '{"message":"Declined","reasonCode":"2001"}'],
    ['beside more members', '{"hint":{"message":"none"},"reasonCode":"2001","message":"Declined"}'],
  ])('9: a call says why it was declined, with the members of statusInfo %s', (_, statusInfo) => {
    const body = `{"status":"DECLINED","statusInfo":${statusInfo}}`
    const call = callAt(5)
    const [mark] = buildTimeline(paymentHistoryOf({ calls: [{ ...call, response: { ...call.response, body } }] }))
    expect(mark).toMatchObject({ reasonCode: '2001', message: 'Declined' })
  })

  test('a call whose response was cut off says it too', () => {
    const body = '{"status":"DECLINED","statusInfo":{"reasonCode":"2001","message":"Declined"},"metadata":{"a":"x'
    const call = callAt(5)
    const [mark] = buildTimeline(paymentHistoryOf({ calls: [{ ...call, response: { ...call.response, body } }] }))
    expect(mark).toMatchObject({ reasonCode: '2001', message: 'Declined' })
  })

  test('D-92: is ordered by real time while the clock is frozen', () => {
    const [frozen, real] = [new Date(START).toISOString(), (ms: number) => new Date(START + ms).toISOString()]
    const record = paymentHistoryOf({
      calls: [callAt(0, { at: real(10), clock: frozen }), callAt(0, { callId: 'second', at: real(50), clock: frozen })],
      events: [eventAt(0, { real: START + 9 }), eventAt(0, { real: START + 49, type: 'payment.captured' })],
      activities: [{ kind: 'shopper', at: START, transactionId: ID, action: 'approve', real: START + 30 }],
    })
    const calls = record.calls.map(call => ({ ...call, durationMilliseconds: 4.2 }))
    const marks = buildTimeline({ ...record, calls })
    expect(marks.map(({ lane }) => lane)).toEqual(['call', 'state', 'shopper', 'call', 'state'])
  })

  test('has messages of the inbox right behind the events that they tell, also while the clock is frozen', () => {
    const events = [
      eventAt(0, { cause: 'initiate', real: START + 9 }),
      eventAt(0, { cause: 'shopper', real: START + 20 }),
      eventAt(0, { cause: 'finalize', real: START + 49 }),
      eventAt(0, { cause: 'capture', real: START + 49 }),
    ]
    const inbox = (['PAYMENT_INITIATE', 'PAYMENT_FINALIZE', 'PAYMENT_FINALIZE', 'PAYMENT_CAPTURE'] as const).map(
      (type, nth) => ({ ...messageAt(0), messageId: `message-${nth}`, type }),
    )
    const late = { ...messageAt(700), type: 'PAYMENT_REFUND' as const }
    const marks = buildTimeline(paymentHistoryOf({ events, inbox: [...inbox, late] }))
    expect(marks.map(mark => (mark.lane === 'webhook' ? mark.name : mark.lane))).toEqual([
      'state',
      'PAYMENT_INITIATE',
      'state',
      'PAYMENT_FINALIZE',
      'state',
      'state',
      'PAYMENT_FINALIZE',
      'PAYMENT_CAPTURE',
      'PAYMENT_REFUND',
    ])
  })

  test('has a call at its arrival, before its effects', () => {
    const record = paymentHistoryOf({
      calls: [callAt(9, { at: new Date(START + 40).toISOString(), durationMilliseconds: 30.5 })],
      events: [eventAt(20)],
    })
    expect(told(record)).toEqual(['call 9', 'state 20'])
  })

  test('leaves out calls on other payments, and searches that found this one', () => {
    const other = JSON.stringify({ clientTransactionId: 'order-8' })
    const found = { status: 200, headers: {}, body: `{"payments":[{"transactionId":"${ID}"}]}` }
    const record = paymentHistoryOf({
      calls: [callAt(1, { sent: other }), callAt(2, { operation: 'search', sent: '{}', response: found }), callAt(3)],
    })
    expect(told(record)).toEqual(['call 3'])
  })

  test('2.2: has refused initiates of the same reference, but not the initiate of another payment', () => {
    const sent = JSON.stringify({ clientTransactionId: 'order-7' })
    const initiate = (after: number, status: number, body: string) =>
      callAt(after, { operation: 'initiate', sent, response: { status, headers: {}, body } })
    const record = paymentHistoryOf({
      calls: [
        initiate(1, 401, '{"statusInfo":{"reasonCode":"4992","message":"The signature \\"x\\" is wrong"}}'),
        initiate(2, 200, '{"transactionId":"01a1fedd-0000-7ee3-bbd2-8e8de05e45cb"}'),
        initiate(3, 200, `{"transactionId":"${ID}"}`),
      ],
    })
    expect(told(record)).toEqual(['call 1', 'call 3'])
    const [refused] = buildTimeline(record)
    expect(refused).toMatchObject({
      tone: 'bad',
      status: 401,
      reasonCode: '4992',
      message: 'The signature "x" is wrong',
    })
  })

  test('6: has every webhook attempt with its result, and messages that only the inbox holds', () => {
    const record = paymentHistoryOf({ deliveries: [deliveryAt(1, [0, 503, 204])], inbox: [messageAt(1), messageAt(2)] })
    const marks = buildTimeline(record)
    expect(marks.map(({ tone }) => tone)).toEqual(['bad', 'plain', 'bad', 'good'])
    expect(marks[0]).toMatchObject({ nth: 1, error: 'connection refused', url: 'https://shop.example/hooks' })
    expect(marks[1]).not.toHaveProperty('url')
    expect(marks[3]).toMatchObject({ nth: 3, status: 204 })
  })

  test('leaves out clock moves before the payment began', () => {
    const move = { kind: 'clock', way: 'advance', rate: 1, ran: 0 } as const
    const record = paymentHistoryOf({
      calls: [callAt(5)],
      activities: [
        { ...move, at: START - 9_000, until: START - 8_000, real: 1 },
        { ...move, at: START - 9_000, until: START + 100, real: 2 },
      ],
    })
    expect(told(record)).toEqual(['clock -9000', 'call 5'])
  })

  test('leaves out clock moves behind everything of the payment, unless something of it is still to come', () => {
    const move = { kind: 'clock', way: 'advance', rate: 1, ran: 0 } as const
    const activities = [10, 2_000, 4_000].map(after => ({
      ...move,
      at: START + after,
      until: START + after + 2_000,
      real: START + after,
    }))
    const record = paymentHistoryOf({ calls: [callAt(5)], events: [eventAt(1_000)], activities })
    expect(told(record)).toEqual(['call 5', 'clock 10', 'state 1000'])
    const coming = [{ at: START + 7_200_000, name: 'settlement', transactionId: ID }]
    expect(told({ ...record, coming })).toHaveLength(6)
  })

  test('ends with planned marks: a deadline, and the next attempt of a delivery', () => {
    const record = paymentHistoryOf({
      events: [eventAt(0)],
      deliveries: [deliveryAt(1, [500])],
      coming: [
        { at: START + 10_001, name: 'delivery', transactionId: ID, deliveryId: 'delivery-1' },
        { at: START + 7_200_000, name: 'settlement', transactionId: ID },
        { at: START + 9_200_000, name: 'hold', transactionId: ID },
      ],
    })
    const planned = buildTimeline(record).filter(mark => mark.planned)
    expect(planned).toMatchObject([
      { lane: 'webhook', name: 'PAYMENT_FINALIZE', nth: 2 },
      { lane: 'state', name: 'settlement', cause: 'settle' },
    ])
    expect(buildTimeline(record).slice(-2)).toEqual(planned)
  })

  test('marks a decision that came too late', () => {
    const click = { kind: 'shopper', at: START, transactionId: ID, action: 'approve', late: true, real: 1 } as const
    expect(buildTimeline(paymentHistoryOf({ activities: [click] }))).toMatchObject([
      { action: 'approve', late: true, tone: 'bad' },
    ])
  })
})
