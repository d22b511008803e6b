import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { binaryArray, type Element, type ElementType } from '../../simulator/store/postgres/binary-arrays.ts'
import { openPool, type Pool } from '../../simulator/store/postgres/pool.ts'
import { startPostgres } from '../support/postgres-server.ts'

const postgres = await startPostgres()

describe.skipIf(postgres === undefined)('arrays in the binary format of PostgreSQL', () => {
  let pool: Pool
  beforeAll(() => {
    pool = openPool(postgres?.url ?? '', () => undefined)
  })
  afterAll(async () => {
    await pool?.end()
    postgres?.remove()
  })
  const read = async (type: ElementType, values: readonly Element[]) =>
    (
      await pool.rows<{ value: Element }>(sql`
        SELECT value FROM unnest(${binaryArray(type, values)}::${raw(type)}[]) WITH ORDINALITY AS t (value, nth) ORDER BY nth`)
    ).map(({ value }) => value)

  // biome-ignore format: a table reads by its columns
  test.each<[string, ElementType, readonly Element[]]>([
    ['no value',         'text',   []],
    ['texts',            'text',   ['', 'plain', '"quoted", {braced} \\', 'NULL', 'Zażółć 🦆', '\n\t', 'nul \0 and \uffff']],
    ['texts and nulls',  'text',   [null, 'a', null]],
    ['integers',         'bigint', [0, -1, 1_250, 2 ** 53 - 1, -(2 ** 53) + 1, null]],
    ['bytes',            'bytea',  [Buffer.from([0, 255, 34, 92]), null, Buffer.alloc(0)]],
    ['a hundred thousand', 'text', Array.from({ length: 100_000 }, (_, at) => `value ${at}`)],
  ])('%s arrive as they were', async (_, type, values) => {
    expect(await read(type, values)).toEqual(values)
  })

  test('undefined is null', async () => {
    expect(await read('bigint', [undefined])).toEqual([null])
  })

  test('a number that is no integer is refused', () => {
    for (const value of [0.5, Number.NaN, 2 ** 53]) expect(() => binaryArray('bigint', [value])).toThrow(RangeError)
  })
})
