import { expect, test } from 'vitest'
import { amountsOf, idEndOf } from '../../simulator/overview/read-search-text.ts'

// biome-ignore format: a table reads by its columns
test.each([
  ['19.99',        ['1999']],
  ['19,99 PLN',    ['1999']],
  ['PLN 1,234.50', ['123450']],
  ['€1 234,50',    ['123450']],
  ['1.234',        ['1234', '123400']],
  ['1999',         ['1999', '199900']],
  ['0.05',         ['5']],
  ['19.9',         []],
  ['order-19.99',  []],
  ['-19.99',       []],
  ['999999999999', ['999999999999', '99999999999900']],
  ['123456789012345', []],
  ['1.234.567.890.123', ['1234567890123', '123456789012300']],
  ['123.456.789.012.345', ['123456789012345']],
  ['1.234.567.890.123.456', []],
  ['100.000.000.000.000.000.000.000', []],
  ['',             []],
])('the amounts that %j may mean, in minor units', (text, amounts) => {
  expect(amountsOf(text)).toEqual(amounts)
})

test.each([
  ['…9f3c01', '9f3c01'],
  ['...9f3c01', '9f3c01'],
  ['9f3c', '9f3c'],
  ['…9F:3C:01', '9F:3C:01'],
  ['9f3', undefined],
  ['two words', undefined],
])('the end of an id that %j asks for', (text, end) => {
  expect(idEndOf(text)).toBe(end)
})
