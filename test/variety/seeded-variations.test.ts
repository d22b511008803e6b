import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import { createSeededCallRandom } from '../../simulator/http/variation/seeded-call-random.ts'
import { createSeededVariation } from '../../simulator/http/variation/seeded-variation.ts'
import { VARIATION_KINDS } from '../../simulator/http/variation/variation-kinds.ts'
import {
  addUnknownMembers,
  changeCase,
  FREE_FORM_OBJECTS,
  reorderMembers,
  UNKNOWN_MEMBERS,
} from '../../simulator/http/variation/vary-json.ts'
import { createIds, createSeededIds, type Ids } from '../../simulator/support/ids.ts'
import { Refusal } from '../../simulator/support/refusal.ts'
import { propertyRuns } from '../properties/property-run-counts.ts'

const SHOP = 'shop'
const SEEDS = Array.from({ length: 40 }, (_, index) => `seed-${index}`)

type Schema = { properties?: object; additionalProperties?: unknown; [more: string]: unknown }

/** All schemas nested in a value of the description, each with the name of the member it describes, if any. */
const schemasIn = (value: unknown, name = ''): { name: string; schema: Schema }[] => {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  const inside = entries.flatMap(([key, part]) =>
    key === 'properties'
      ? Object.entries(part).flatMap(([member, one]) => schemasIn(one, member))
      : schemasIn(part, key),
  )
  return [{ name, schema: value as Schema }, ...inside]
}

const description = parse(readFileSync(new URL('../../contracts/openapi.yaml', import.meta.url), 'utf8'))
const schemas = schemasIn(description.components.schemas)

const anObject = fc.dictionary(fc.string(), fc.jsonValue())
const draw = createSeededCallRandom('4711', SHOP, 1)

describe('9: response variations that the contract allows', () => {
  test('extra members have names that the contract does not define', () => {
    const known = new Set(schemas.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))
    expect(known.size).toBeGreaterThan(50)
    expect(Object.keys(UNKNOWN_MEMBERS).filter(name => known.has(name))).toEqual([])
  })

  test('maps of free names get no extra members', () => {
    const maps = schemas.filter(({ schema }) => typeof schema.additionalProperties === 'object')
    expect(new Set(maps.map(({ name }) => name.toLowerCase()))).toEqual(new Set(FREE_FORM_OBJECTS))
    const answer = { metadata: { a: 'b' }, inner: { fields: { c: 'd' } } }
    for (const seed of SEEDS)
      expect(addUnknownMembers(answer, createSeededCallRandom(seed, SHOP, 1))).toMatchObject({
        metadata: { a: 'b' },
        inner: { fields: { c: 'd' } },
      })
    const varied = SEEDS.map(seed => JSON.stringify(addUnknownMembers(answer, createSeededCallRandom(seed, SHOP, 1))))
    expect(varied.every(text => text.includes('"metadata":{"a":"b"}') && text.includes('"fields":{"c":"d"}'))).toBe(
      true,
    )
  })

  test('members are added, never changed or removed, also in nested objects', () => {
    fc.assert(
      fc.property(anObject, value => {
        const varied = addUnknownMembers(value as never, draw) as object
        expect(Object.keys(varied).slice(0, -1)).toEqual(Object.keys(value))
        expect(withoutExtras(varied)).toEqual(withoutExtras(value))
      }),
      propertyRuns(200),
    )
    const deep = SEEDS.map(seed => addUnknownMembers({ inner: [{ more: {} }] }, createSeededCallRandom(seed, SHOP, 1)))
    expect(deep.some(value => Object.keys((value as never as { inner: object[] }).inner[0] ?? {}).length > 1)).toBe(
      true,
    )
  })

  test('reordering members keeps the value and the order of lists', () => {
    fc.assert(
      fc.property(anObject, value => {
        expect(reorderMembers(value as never, draw)).toEqual(value)
      }),
      propertyRuns(200),
    )
    const orders = new Set(
      SEEDS.map(seed =>
        Object.keys(reorderMembers({ a: 1, b: 2, c: 3 }, createSeededCallRandom(seed, SHOP, 1)) as object).join(),
      ),
    )
    expect(orders.size).toBeGreaterThan(3)
  })

  test('a header name changes only its case', () => {
    const names = [0, 0.5, 0.99].map(drawn => changeCase('content-digest', drawn))
    expect(new Set(names)).toEqual(new Set(['CONTENT-DIGEST', 'Content-Digest']))
  })
})

/** The value without extra members at any depth. */
const withoutExtras = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutExtras)
  if (typeof value !== 'object' || value === null) return value
  const own = Object.entries(value).filter(([name]) => !Object.hasOwn(UNKNOWN_MEMBERS, name))
  return Object.fromEntries(own.map(([name, member]) => [name, withoutExtras(member)]))
}

/** Counts of each kind of variation in a thousand calls. */
const counted = (seed: string) => {
  const { forCall } = createSeededVariation(seed)
  const counts: Record<string, number> = Object.fromEntries(VARIATION_KINDS.map(({ kind }) => [kind, 0]))
  for (let call = 0; call < 1000; call += 1) {
    const unusual = forCall(SHOP)
    try {
      unusual.hold(`key-${call}`)
    } catch {}
    unusual.shape('{"a":1}')
    unusual.headers({ date: 'x' })
    expect(unusual.delay()).toBeLessThanOrEqual(25)
    for (const kind of unusual.varied()) counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

describe('the seed determines the variations', () => {
  test('each kind has about the frequency of its row', () => {
    const counts = counted('4711')
    for (const { kind, percent } of VARIATION_KINDS) {
      expect(counts[kind], kind).toBeGreaterThan(percent * 10 * 0.6)
      expect(counts[kind], kind).toBeLessThan(percent * 10 * 1.5)
    }
  })

  test('by organization and number of the call only', () => {
    const shapes = (seed: string, organizationId: string, others: number) => {
      const { forCall } = createSeededVariation(seed)
      for (let call = 0; call < others; call += 1) forCall('somebody-else')
      return Array.from({ length: 20 }, () => forCall(organizationId).shape('{"a":1,"b":{"c":2}}'))
    }
    expect(shapes('4711', SHOP, 3)).toEqual(shapes('4711', SHOP, 0))
    expect(shapes('4712', SHOP, 0)).not.toEqual(shapes('4711', SHOP, 0))
    expect(shapes('4711', 'other', 0)).not.toEqual(shapes('4711', SHOP, 0))
  })

  test('equally for the same body within a call (I3)', () => {
    const unusual = createSeededVariation('4711').forCall(SHOP)
    expect(unusual.shape('{"a":{"b":1}}')).toBe(unusual.shape('{"a":{"b":1}}'))
    expect(unusual.shape('')).toBe('')
  })
})

describe('7.1: calls refused with 423 and 429', () => {
  const answerOf = (act: () => void): Refusal | undefined => {
    try {
      act()
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  }

  test('never twice in a row under one key', () => {
    const { forCall } = createSeededVariation('4711')
    let heldBefore = false
    let held = 0
    for (let call = 0; call < 500; call += 1) {
      const holds = answerOf(() => forCall(SHOP).hold('key')) !== undefined
      expect(holds && heldBefore).toBe(false)
      heldBefore = holds
      held += holds ? 1 : 0
    }
    expect(held).toBeGreaterThan(10)
  })

  test('423/5003 and 429/3000 with Retry-After, never without a key', () => {
    const { forCall } = createSeededVariation('4711')
    const refusals = Array.from({ length: 500 }, (_, call) => answerOf(() => forCall(SHOP).hold(`key-${call}`)))
    const told = new Set(refusals.map(refusal => refusal && `${refusal.row.http} ${refusal.retryAfter}`))
    expect(told).toEqual(new Set([undefined, '423 undefined', '429 1']))
    for (let call = 0; call < 500; call += 1) expect(answerOf(() => forCall(SHOP).hold(undefined))).toBeUndefined()
  })

  test('D-22: neither is stored under its key', () => {
    expect([REFUSALS.PAYMENT_LOCKED.remembered, REFUSALS.RATE_LIMITED.remembered]).toEqual([false, false])
  })
})

describe('ids', () => {
  const all = (ids: Ids) => [
    ids.uuid(),
    ids.ascendingNumber(),
    ids.orderedUuid(1),
    ids.secret(),
    ids.blikCode(),
    ids.serial(),
  ]

  test('are the same for the same seed and run, and differ otherwise', () => {
    expect(all(createSeededIds('4711', 1))).toEqual(all(createSeededIds('4711', 1)))
    const runs = [createSeededIds('4711', 1), createSeededIds('4711', 2), createSeededIds('4712', 1), createIds()]
    expect(new Set(runs.flatMap(all)).size).toBe(24)
  })

  test('of one kind do not depend on those of another', () => {
    const [one, other] = [createSeededIds('4711', 1), createSeededIds('4711', 1)]
    other.secret()
    expect(one.uuid()).toBe(other.uuid())
  })

  test.each([
    ['seeded', createSeededIds('4711', 1)],
    ['random', createIds()],
  ])('%s have their formats', (_what, ids) => {
    for (let count = 0; count < 300; count += 1) {
      expect(ids.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(ids.orderedUuid(0x0123456789ab)).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(ids.secret()).toMatch(/^[\w-]{22}$/)
      expect(ids.orderedSecret(0x0123456789ab)).toMatch(/^ASNFZ4mr[\w-]{22}$/)
      expect(ids.serial()).toMatch(/^4[0-9a-f]{31}$/)
      expect(ids.blikCode()).toMatch(/^\d{6}$/)
    }
  })

  test.each([
    ['seeded', createSeededIds('4711', 1)],
    ['random', createIds()],
  ])('%s number in small random steps, each exact in every JSON parser', (_what, ids) => {
    const numbers = Array.from({ length: 300 }, () => ids.ascendingNumber())
    const steps = numbers.slice(1).map((number, at) => (number - (numbers[at] ?? 0) + 2 ** 52) % 2 ** 52)
    expect(numbers.filter(number => !Number.isSafeInteger(number) || number < 0)).toEqual([])
    expect(steps.filter(step => step < 1 || step > 4_096)).toEqual([])
    expect(new Set(steps).size).toBeGreaterThan(200)
  })

  test.each([
    ['seeded', createSeededIds('4711', 1)],
    ['random', createIds()],
  ])('%s never make a BLIK code that begins with 99, the prefix of magic codes', (_what, ids) => {
    const codes = Array.from({ length: 5_000 }, () => ids.blikCode())
    expect(codes.filter(code => code.startsWith('99'))).toEqual([])
    expect(codes.some(code => code.startsWith('98'))).toBe(true)
    expect(codes.some(code => code.startsWith('0'))).toBe(true)
  })
})
