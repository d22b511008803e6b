import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DialectLines } from '../../contracts/dialect/dialect-lines.ts'
import { numberedUuid, shortenUuid, UUIDS_AS_NUMBERS } from '../../contracts/dialect/numeric-ids.ts'
import { createRequestLens } from '../../contracts/dialect/request-lens.ts'
import { createResponseLens } from '../../contracts/dialect/response-lens.ts'
import { generateForms } from './generated/generate-enums-states-and-value-forms.ts'
import { anEnvelope, generatePlaces } from './generated/generate-member-places.ts'

/** Members of a message by their dotted names, of each kind of value that a dialect may write otherwise. */
const MEMBERS = {
  transactionId: fc.uuid(),
  clientTransactionId: fc.string({ maxLength: 20 }),
  status: fc.constantFrom('PENDING', 'ACCEPTED', 'APPROVED', 'DECLINED', 'CANCELED'),
  'statusInfo.reasonCode': fc.constantFrom('-1', '2000', '4000'),
  'statusInfo.message': fc.string({ maxLength: 20 }),
  'paymentDetails.amount': fc.integer({ min: 1, max: 99_999_999_999 }),
  'paymentDetails.currency': fc.constantFrom('PLN', 'EUR'),
  'paymentDetails.autoCapture': fc.boolean(),
  'providerDetails.registeredAt': fc
    .integer({ min: 0, max: 4_000_000_000 })
    .map(seconds => new Date(seconds * 1000).toISOString()),
  'lifecycle.state': fc.constantFrom('AWAITING_SHOPPER', 'AUTHORIZED', 'PARTIALLY_CAPTURED', 'CAPTURED', 'SETTLED'),
  metadata: fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.string({ maxLength: 8 }), { minKeys: 1 }),
} as const

const PATHS = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]

type Message = Record<string, unknown>

const nested = (flat: Partial<Record<string, unknown>>): Message => {
  const message: Message = {}
  for (const [path, value] of Object.entries(flat)) {
    const [group = '', name] = path.split('.')
    if (name === undefined) message[group] = value
    else message[group] = { ...(message[group] as Message | undefined), [name]: value }
  }
  return message
}

const aMessage = fc.record(MEMBERS, { requiredKeys: [] }).map(nested)

const aDialect: fc.Arbitrary<DialectLines> = fc
  .record({
    naming: fc.constantFrom('camelCase' as const, 'snake_case' as const),
    places: generatePlaces(PATHS),
    envelope: anEnvelope,
    forms: generateForms,
    ids: fc.constantFrom('text' as const, 'number' as const),
    status: fc.constantFrom({}, { PENDING: 'open', DECLINED: 'turned down' }),
    states: fc.constantFrom({}, { waiting: ['W'], authorized: ['A'], captured: ['P', 'C'], settled: ['S'] }),
  })
  .map(({ places, envelope, ids, status, ...lines }) => ({
    ...lines,
    ids: { transactionId: ids },
    enums: { status },
    requests: { all: places },
    members: { all: { ...(envelope === '' ? {} : { '': envelope }), ...places } },
  }))

describe('1: laws of the lenses over generated dialects', () => {
  test('a response that is written and read is the same, its lists and their items too', () => {
    fc.assert(
      fc.property(aDialect, aMessage, fc.array(aMessage, { maxLength: 3 }), (lines, message, payments) => {
        const { write, read } = createResponseLens(lines, UUIDS_AS_NUMBERS)
        const whole = { ...message, payments }
        const wire = JSON.parse(JSON.stringify(write('search', whole)))
        expect(read('search', wire)).toEqual(withBigIds(whole, lines))
      }),
    )
  })

  test('a request that is written and read is the same, and lacks no constant', () => {
    fc.assert(
      fc.property(aDialect, aMessage, (dialect, message) => {
        const lines = { ...dialect, requests: { ...dialect.requests, always: { all: { '/tenant/id': 7 } } } }
        const { json, readJson } = createRequestLens(lines, UUIDS_AS_NUMBERS)
        const wire = JSON.parse(JSON.stringify(json('initiate', message)))
        expect(readJson('initiate', wire)).toEqual({ request: withBigIds(message, lines), missing: {} })
      }),
    )
  })

  test('a member that a dialect does not have is neither lost nor taken for one of ours', () => {
    fc.assert(
      fc.property(aDialect, fc.string({ minLength: 1 }), fc.integer(), (lines, name, value) => {
        const { readJson } = createRequestLens(lines)
        const { request } = readJson('refund', { elsewhere: { [name]: value } })
        const kept = JSON.stringify(request)
        expect(kept).toContain(JSON.stringify(value))
        expect(PATHS.some(path => (path.split('.')[0] as string) in request)).toBe(false)
      }),
    )
  })
})

test("a line of a list's items says nothing of the message around the list", () => {
  const { write, read } = createResponseLens({ members: { search: { 'payments.createdAt': '/since' } } })
  const page = { payments: [{ createdAt: '2026-11-23T00:00:00.000Z' }], since: 'yesterday' }
  expect(write('search', page)).toEqual({ payments: [{ since: page.payments[0]?.createdAt }], since: 'yesterday' })
  expect(read('search', write('search', page))).toEqual(page)
})

/** A JSON parser of the test rounds ids beyond 2^53: such a message holds what it can. */
const withBigIds = (message: unknown, { ids }: DialectLines): unknown => {
  if (ids?.transactionId !== 'number') return message
  return JSON.parse(JSON.stringify(message), (name, value) =>
    name === 'transactionId' && typeof value === 'string'
      ? UUIDS_AS_NUMBERS.read(String(Number(UUIDS_AS_NUMBERS.write(value))))
      : value,
  )
}

test('an id is one number and back, and a short one is exact in every JSON parser', () => {
  fc.assert(
    fc.property(fc.uuid(), id => {
      expect(UUIDS_AS_NUMBERS.read(UUIDS_AS_NUMBERS.write(id))).toBe(id)
      const short = shortenUuid(id)
      const number = UUIDS_AS_NUMBERS.write(short)
      expect(Number.isSafeInteger(Number(number))).toBe(true)
      expect(UUIDS_AS_NUMBERS.read(number)).toBe(short)
    }),
  )
})

test('a number below 2^52 is the same on the wire', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), number => {
      const id = numberedUuid(number % 2 ** 52)
      expect(UUIDS_AS_NUMBERS.write(id)).toBe(String(number % 2 ** 52))
      expect(UUIDS_AS_NUMBERS.read(UUIDS_AS_NUMBERS.write(id))).toBe(id)
    }),
  )
})

test.each(['abc', '', '-1', '1.5', '00', '9'.repeat(60)])('%j, which is no id, is one of no payment', text => {
  expect(UUIDS_AS_NUMBERS.read(text)).toBe(text)
})

test('a member without a value leaves nothing behind at its place', () => {
  const { json } = createRequestLens({ requests: { all: { oneTime: '/times/once' } } })
  expect(JSON.stringify(json('mockSet', { type: 'MOCK', oneTime: undefined }))).toBe('{"type":"MOCK"}')
})
