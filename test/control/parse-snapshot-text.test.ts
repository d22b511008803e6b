import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseSnapshotText } from '../../simulator/organizations/parse-snapshot-text.ts'

const key = fc.oneof(fc.constantFrom('rows', 'tables', 'a"rows', '\\"rows'), fc.string())
const value = fc.letrec(tie => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 1, '[', ']', '"rows":[1', '@rows 0', '\\'),
    fc.string(),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 4 }),
  ),
})).any

test('a snapshot is parsed as by JSON.parse', async () => {
  const texts = [value, value].map(one =>
    fc.tuple(one, fc.constantFrom(undefined, 1)).map(([json, space]) => JSON.stringify(json, null, space)),
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(...texts), async text => {
      expect(await parseSnapshotText(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: 2_000 },
  )
})

test('rows are parsed in slices, in order', async () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => [at, `"[${at}]"`, null])
  const text = JSON.stringify({ tables: { one: { columns: ['a', 'b', 'c'], rows }, two: { columns: [], rows: [] } } })
  let turns = 0
  const turn = setInterval(() => undefined, 1_000)
  const count = () => {
    turns += 1
    if (turn.hasRef()) setImmediate(count)
  }
  setImmediate(count)
  expect(await parseSnapshotText(text)).toEqual(JSON.parse(text))
  clearInterval(turn.unref())
  expect(turns).toBeGreaterThanOrEqual(4)
})

test.each([
  ['is nested deeply', `{"a":${'['.repeat(1_000_000)}`, 'nested deeper than 32'],
  ['has rows nested deeply', `{"rows":[${'['.repeat(1_000_000)}`, 'nested deeper than 32'],
  ['is long beside its rows', `{"rows":[],"a":[${'0,'.repeat(5_000_000)}0]}`, 'no rows of a table'],
  ['has an endless row', `{"rows":[[${'0,'.repeat(5_000_000)}0]]}`, 'a row of more than'],
])('a text that %s is refused before it is parsed', async (_, text, sentence) => {
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  await expect(parseSnapshotText(text)).rejects.toThrow(sentence)
  expect(parse.mock.calls.filter(([parsed]) => parsed.length > 100)).toEqual([])
})

test.each(['', '{"rows":[', '{"rows":[1}', '{"rows":[1 2]}', '{"rows":["]}', '{"rows":[[1]},{}]}', '{"rows":[1]'])(
  '%s is no JSON',
  async text => {
    await expect(parseSnapshotText(text)).rejects.toThrow(SyntaxError)
  },
)
