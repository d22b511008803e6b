import { expect, test } from 'vitest'
import { abilitiesOf } from '../../contracts/explore/abilities.ts'
import { createCoverage } from '../../contracts/explore/coverage.ts'
import { drawOpening } from '../../contracts/explore/draw/opening-and-closing-steps.ts'
import { createRandom } from '../../contracts/explore/draw/random.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { EMPTY_MODEL_STATE, type Payment } from '../../contracts/model/model-state.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { HELD_PAYMENT } from './sample-model-payment.ts'

const simulator = readProfile(SIMULATOR_PROFILE)
const { control: _, ...elsewhere } = simulator

// biome-ignore format: a table reads by its columns
test.each<[shopper: string, profile: Profile, areMocksDrawn: boolean]>([
  ['control tells',           simulator,                                           true],
  ['codes of the profile are', { ...elsewhere, shopper: { codes: { approve: '111111' } } },         true],
  ['a mock stands for',       { ...elsewhere, shopper: {} },                                       false],
  ['nobody needs, as of IRIS', { ...elsewhere, shopper: {}, capabilities: { methods: ['IRIS'] } },  true],
])('mocks are drawn unless they would replace the one of the shopper: the shopper that %s', (_, profile, areDrawn) => {
  expect(abilitiesOf(profile, 1).mocks).toBe(areDrawn)
})

/** What a status must tell so that the end of a shopper's time is seen. */
const seen = { states: { waiting: ['OPEN'] }, fields: { status: { state: '/state' } } }

// biome-ignore format: a table reads by its columns
test.each<[who: string, profile: object, shoppers: string[]]>([
  ['control tells',                   simulator,                                                  ['BLIK', 'IRIS']],
  ['a code and a command stand for',  { ...seen, shopper: { codes: { approve: '111111' }, command: 'pay' } }, ['BLIK', 'IRIS']],
  ['a script of the page stands for', { ...seen, shopper: { browser: 'pay.mjs' } },               ['IRIS']],
  ['a mock stands for',               { ...seen, shopper: { mock: { approve: 'OK' } } },          []],
  ['a person plays',                  { ...seen, shopper: { ask: true } },                        []],
  ['no status tells of',              { ...seen, states: {}, shopper: { command: 'pay' } },       []],
])('exploration has the shopper approve whom %s', (_, profile, shoppers) => {
  expect(abilitiesOf({ ...elsewhere, ...profile } as Profile, 1).shoppers).toEqual(shoppers)
})

test('captures settle while exploration waits, where that is within the patience of the profile', () => {
  const settlingOf = (more: object) => abilitiesOf({ ...elsewhere, ...more }, 1).settling
  expect(settlingOf({ settlement: { withinSeconds: 5 } })).toBe('PT5S')
  expect(settlingOf({ settlement: { withinSeconds: 0.2 } })).toBe('PT1S')
  expect(settlingOf({ settlement: { withinSeconds: 5 }, patience: 'PT4S' })).toBeUndefined()
  expect(settlingOf({ settlement: {} })).toBeUndefined()
})

test('openings without control have the shopper approve, and wait for a settlement', () => {
  const shopper = { codes: { approve: '111111' } }
  const profile = {
    ...elsewhere,
    ...seen,
    shopper,
    settlement: { withinSeconds: 5 },
    capabilities: { methods: ['BLIK'] },
  }
  const abilities = abilitiesOf(profile as unknown as Profile, 1)
  const drawn = Array.from({ length: 40 }, (_, seed) => drawOpening({ random: createRandom(seed), abilities }, 'any'))
  const beside = drawn.flat().filter(({ do: what }) => what === 'shopper' || what === 'pass')
  expect(new Set(beside.map(({ decision, time }) => decision ?? time))).toEqual(new Set(['approve', 'PT5S']))
})

test('a payment that its shopper moved before a call has visited both transitions', () => {
  const coverage = createCoverage()
  const stateWith = (more: Partial<Payment>) => [
    { ...EMPTY_MODEL_STATE, payments: { s1: { ...HELD_PAYMENT, ...more } } },
  ]
  coverage.note(stateWith({ phase: 'waiting' }), stateWith({}), { id: 's2', do: 'finalize', on: 's1' })
  expect([...coverage.transitions.keys()].map(([from, cause]) => [from, cause])).toEqual([
    ['waiting', 'shopper'],
    ['authenticated', 'finalize'],
  ])
})

test('a deployment that offers IRIS alone is sent no payment of BLIK, whatever the theme', () => {
  const abilities = abilitiesOf({ ...elsewhere, capabilities: { methods: ['IRIS'] } }, 1)
  const openings = (['any', 'none', 'held', 'mandate'] as const).flatMap(opening =>
    Array.from({ length: 20 }, (_, seed) => drawOpening({ random: createRandom(seed), abilities }, opening)),
  )
  expect(new Set(openings.flat().map(({ method }) => method ?? 'IRIS'))).toEqual(new Set(['IRIS']))
})
