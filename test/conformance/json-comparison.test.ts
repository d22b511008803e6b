import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonJson, jsonAgrees } from '../../contracts/harness/judge/compare-shared-json-members.ts'
import { createSeededCallRandom } from '../../simulator/http/variation/seeded-call-random.ts'
import { addUnknownMembers, reorderMembers } from '../../simulator/http/variation/vary-json.ts'
import { propertyRuns } from '../properties/property-run-counts.ts'

// biome-ignore format: a table reads by its columns
test.each([
  ['an additional member',    { a: 1 },             { a: 1, b: 2 },        true],
  ['an additional one, nested', { a: [{ b: 1 }] },    { a: [{ b: 1, c: 2 }] }, true],
  ['another order',           { a: 1, b: 2 },       { b: 2, a: 1 },        true],
  ['an empty object',         {},                   { a: 1 },              true],
  ['another value',           { a: 1, b: 2 },       { a: 2 },              false],
  ['another value, nested',   { a: { b: 1 } },      { a: { b: 2 } },       false],
  ['an item more',            { a: [1] },           { a: [1, 2] },         false],
  ['items in another order',  [1, 2],               [2, 1],                false],
  ['another type',            { a: {} },            { a: [] },             false],
  ['nothing at all',          { a: 1 },             undefined,             false],
])('9: %s', (_what, one, other, expected) => {
  expect([jsonAgrees(one, other), jsonAgrees(other, one)]).toEqual([expected, expected])
})

// biome-ignore format: a table reads by its columns
test.each([
  ['all of it',                     { a: 1 },                     { a: 1 },                     { a: 1 }],
  ['a member that differs',         { a: 1, b: 1 },               { a: 1, b: 2 },               { a: 1 }],
  ['one of them has it',            { a: 1, b: 1 },               { a: 1 },                     { a: 1 }],
  ['nested',                        { a: { b: 1, c: 1 } },        { a: { b: 1, c: 2 } },        { a: { b: 1 } }],
  ['in an item of a list',          [{ a: 1, at: 1 }, { a: 2 }],  [{ a: 1, at: 2 }, { a: 2 }],  [{ a: 1 }, { a: 2 }]],
  ['an item that differs',          { a: [1, 2], b: 1 },          { a: [1, 3], b: 1 },          { b: 1 }],
  ['an item more',                  { a: [1], b: 1 },             { a: [1, 2], b: 1 },          { b: 1 }],
  ['another type',                  { a: {}, b: 1 },              { a: [], b: 1 },              { b: 1 }],
  ['null is kept',                  { a: null },                  { a: null },                  { a: null }],
  ['nothing',                       { a: 1 },                     { a: 2 },                     {}],
  ['nothing, not even an object',   1,                            { a: 1 },                     undefined],
])('E1: members that two responses have in common: %s', (_what, one, other, expected) => {
  expect(commonJson(one, other)).toEqual(expected)
})

test('9: a response changed by variety agrees with the original', () => {
  const varied = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat()).map(([made, seed]) => {
    const value = JSON.parse(JSON.stringify(made))
    const draw = createSeededCallRandom(String(seed), 'shop', 1)
    return [value, reorderMembers(addUnknownMembers(value, draw), draw)]
  })
  fc.assert(
    fc.property(varied, ([value, other]) => jsonAgrees(value, other)),
    propertyRuns(200),
  )
})
