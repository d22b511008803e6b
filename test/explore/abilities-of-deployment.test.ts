import { expect, test } from 'vitest'
import { abilitiesOf } from '../../contracts/explore/abilities.ts'
import { drawOpening } from '../../contracts/explore/draw/opening-and-closing-steps.ts'
import { createRandom } from '../../contracts/explore/draw/random.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'

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

test('a deployment that offers IRIS alone is sent no payment of BLIK, whatever the theme', () => {
  const abilities = abilitiesOf({ ...elsewhere, capabilities: { methods: ['IRIS'] } }, 1)
  const openings = (['any', 'none', 'held', 'mandate'] as const).flatMap(opening =>
    Array.from({ length: 20 }, (_, seed) => drawOpening({ random: createRandom(seed), abilities }, opening)),
  )
  expect(new Set(openings.flat().map(({ method }) => method ?? 'IRIS'))).toEqual(new Set(['IRIS']))
})
