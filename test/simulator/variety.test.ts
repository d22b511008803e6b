import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import { createIds, createSeededIds, type Ids } from '../../simulator/ids.ts'
import { Refusal } from '../../simulator/refusal.ts'
import { drawFor } from '../../simulator/variety/draw.ts'
import { KINDS } from '../../simulator/variety/kinds.ts'
import { createVariety } from '../../simulator/variety/variety.ts'
import { addMembers, EXTRA_MEMBERS, MAPS, recase, reorder } from '../../simulator/variety/vary-json.ts'
import { runs } from '../properties/runs.ts'

const SHOP = 'shop'
const SEEDS = Array.from({ length: 40 }, (_, index) => `seed-${index}`)

type Schema = { properties?: object; additionalProperties?: unknown; [more: string]: unknown }

/** Every schema of the description and of its parts, under the name of the member that it describes, if it does. */
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
const draw = drawFor('4711', SHOP, 1)

describe('9: what an answer may have beside the contract', () => {
  test('no extra member has the name of one that the contract knows', () => {
    const known = new Set(schemas.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))
    expect(known.size).toBeGreaterThan(50)
    expect(Object.keys(EXTRA_MEMBERS).filter(name => known.has(name))).toEqual([])
  })

  test('objects whose names are data are let alone, and there are no others', () => {
    const maps = schemas.filter(({ schema }) => typeof schema.additionalProperties === 'object')
    expect(new Set(maps.map(({ name }) => name.toLowerCase()))).toEqual(new Set(MAPS))
    const answer = { metadata: { a: 'b' }, inner: { fields: { c: 'd' } } }
    for (const seed of SEEDS)
      expect(addMembers(answer, drawFor(seed, SHOP, 1))).toMatchObject({
        metadata: { a: 'b' },
        inner: { fields: { c: 'd' } },
      })
    const varied = SEEDS.map(seed => JSON.stringify(addMembers(answer, drawFor(seed, SHOP, 1))))
    expect(varied.every(text => text.includes('"metadata":{"a":"b"}') && text.includes('"fields":{"c":"d"}'))).toBe(
      true,
    )
  })

  test('members are added and never changed or taken away, in nested objects too', () => {
    fc.assert(
      fc.property(anObject, value => {
        const varied = addMembers(value as never, draw) as object
        expect(Object.keys(varied).slice(0, -1)).toEqual(Object.keys(value))
        expect(withoutExtras(varied)).toEqual(withoutExtras(value))
      }),
      runs(200),
    )
    const deep = SEEDS.map(seed => addMembers({ inner: [{ more: {} }] }, drawFor(seed, SHOP, 1)))
    expect(deep.some(value => Object.keys((value as never as { inner: object[] }).inner[0] ?? {}).length > 1)).toBe(
      true,
    )
  })

  test('another order is the same value, and lists keep theirs', () => {
    fc.assert(
      fc.property(anObject, value => {
        expect(reorder(value as never, draw)).toEqual(value)
      }),
      runs(200),
    )
    const orders = new Set(
      SEEDS.map(seed => Object.keys(reorder({ a: 1, b: 2, c: 3 }, drawFor(seed, SHOP, 1)) as object).join()),
    )
    expect(orders.size).toBeGreaterThan(3)
  })

  test('a header keeps its name but for the case', () => {
    const names = [0, 0.5, 0.99].map(drawn => recase('content-digest', drawn))
    expect(new Set(names)).toEqual(new Set(['CONTENT-DIGEST', 'Content-Digest']))
  })
})

/** The same without any member that variety could have added, wherever it is. */
const withoutExtras = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutExtras)
  if (typeof value !== 'object' || value === null) return value
  const own = Object.entries(value).filter(([name]) => !Object.hasOwn(EXTRA_MEMBERS, name))
  return Object.fromEntries(own.map(([name, member]) => [name, withoutExtras(member)]))
}

/** What variety makes of a thousand calls: how often each kind was. */
const counted = (seed: string) => {
  const { forCall } = createVariety(seed)
  const counts: Record<string, number> = Object.fromEntries(KINDS.map(({ kind }) => [kind, 0]))
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

describe('the seed decides', () => {
  test('each kind is as frequent as its row says', () => {
    const counts = counted('4711')
    for (const { kind, percent } of KINDS) {
      expect(counts[kind], kind).toBeGreaterThan(percent * 10 * 0.6)
      expect(counts[kind], kind).toBeLessThan(percent * 10 * 1.5)
    }
  })

  test('by organization and number of the call, and by nothing else', () => {
    const shapes = (seed: string, organizationId: string, others: number) => {
      const { forCall } = createVariety(seed)
      for (let call = 0; call < others; call += 1) forCall('somebody-else')
      return Array.from({ length: 20 }, () => forCall(organizationId).shape('{"a":1,"b":{"c":2}}'))
    }
    expect(shapes('4711', SHOP, 3)).toEqual(shapes('4711', SHOP, 0))
    expect(shapes('4712', SHOP, 0)).not.toEqual(shapes('4711', SHOP, 0))
    expect(shapes('4711', 'other', 0)).not.toEqual(shapes('4711', SHOP, 0))
  })

  test('the same body gets the same shape within a call (I3)', () => {
    const unusual = createVariety('4711').forCall(SHOP)
    expect(unusual.shape('{"a":{"b":1}}')).toBe(unusual.shape('{"a":{"b":1}}'))
    expect(unusual.shape('')).toBe('')
  })
})

describe('7.1: calls that are held back', () => {
  const answerOf = (act: () => void): Refusal | undefined => {
    try {
      act()
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  }

  test('never twice in a row under one key, of whichever organization', () => {
    const { forCall } = createVariety('4711')
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

  test('423/5003 and 429/3000 with Retry-After, both; never without a key', () => {
    const { forCall } = createVariety('4711')
    const refusals = Array.from({ length: 500 }, (_, call) => answerOf(() => forCall(SHOP).hold(`key-${call}`)))
    const told = new Set(refusals.map(refusal => refusal && `${refusal.row.http} ${refusal.retryAfter}`))
    expect(told).toEqual(new Set([undefined, '423 undefined', '429 1']))
    for (let call = 0; call < 500; call += 1) expect(answerOf(() => forCall(SHOP).hold(undefined))).toBeUndefined()
  })

  test('D-22: neither is remembered under its key', () => {
    expect([REFUSALS.PAYMENT_LOCKED.remembered, REFUSALS.RATE_LIMITED.remembered]).toEqual([false, false])
  })
})

describe('ids', () => {
  const all = (ids: Ids) => [ids.uuid(), ids.orderedUuid(1), ids.secret(), ids.blikCode(), ids.serial()]

  test('of one seed and run are the same, of another seed or run are others', () => {
    expect(all(createSeededIds('4711', 1))).toEqual(all(createSeededIds('4711', 1)))
    const runs = [createSeededIds('4711', 1), createSeededIds('4711', 2), createSeededIds('4712', 1), createIds()]
    expect(new Set(runs.flatMap(all)).size).toBe(20)
  })

  test('of one kind do not depend on how many there were of another', () => {
    const [one, other] = [createSeededIds('4711', 1), createSeededIds('4711', 1)]
    other.secret()
    expect(one.uuid()).toBe(other.uuid())
  })

  test.each([
    ['seeded', createSeededIds('4711', 1)],
    ['by chance', createIds()],
  ])('%s have their forms', (_what, ids) => {
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
    ['by chance', createIds()],
  ])('%s never make a code that begins with 99, where the magic ones are', (_what, ids) => {
    const codes = Array.from({ length: 5_000 }, () => ids.blikCode())
    expect(codes.filter(code => code.startsWith('99'))).toEqual([])
    expect(codes.some(code => code.startsWith('98'))).toBe(true)
    expect(codes.some(code => code.startsWith('0'))).toBe(true)
  })
})
