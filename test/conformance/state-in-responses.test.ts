import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { changedWord } from '../../contracts/scout/find-json-pointers.ts'

const exchangeOf = (json: object) =>
  ({ response: { status: 200, headers: {}, body: Buffer.from(JSON.stringify(json)) } }) as unknown as Exchange

// biome-ignore format: a table reads by its columns
const PAIRS: readonly (readonly [name: string, one: object, other: object, pointer: string | undefined])[] = [
  ['a code below a sentence',           { note: 'Not paid', mark: 'DECLINED' },  { note: 'Well paid', mark: 'ACCEPTED' },  '/mark'],
  ['a sentence under the name of a state', { note: 'Not paid', phase: 'Turned down' }, { note: 'Well paid', phase: 'Taken on' }, '/phase'],
  ['a name that tells a state, of two codes', { note: 'Declined', payState: 'NO' },  { note: 'Accepted', payState: 'YES' },    '/payState'],
  ['the first of equals',               { status: 'NO', state: 'DOWN' },         { status: 'YES', state: 'UP' },           '/status'],
  ['a sentence where there is no code', { note: 'Not paid', mark: 'SAME' },      { note: 'Well paid', mark: 'SAME' },      '/note'],
  ['nothing where nothing differs',     { mark: 'SAME' },                        { mark: 'SAME' },                        undefined],
]

test.each(PAIRS)('scout takes for the state %s', (_name, one, other, pointer) => {
  expect(changedWord(exchangeOf(one), exchangeOf(other))?.pointer).toBe(pointer)
})
