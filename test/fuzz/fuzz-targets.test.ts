import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FuzzFixture, openFuzzFixture } from './fuzz-fixture.ts'
import { runTarget } from './run-fuzz-target.ts'
import { FUZZ_TARGETS } from './targets/all-targets.ts'

// `npm run fuzz` runs longer with random seeds. This test has a fixed seed, so that it never fails by chance; failing inputs
// of a fuzz run are saved to corpus/.
const SEED = 1

let fixture: FuzzFixture

beforeAll(() => {
  fixture = openFuzzFixture()
})

afterAll(() => fixture.close())

test.each(FUZZ_TARGETS.map(part => [part.name, part] as const))(
  `%s bears what strangers send, from seed ${SEED}`,
  { timeout: 120_000 },
  async (name, part) => {
    const judge = await part.open(fixture)
    const { find, tries } = await runTarget(part, judge, { seed: SEED, runs: part.few })
    expect(find, `npm run fuzz -- --only ${name} --seed ${SEED} --minutes 0`).toBeUndefined()
    expect(tries).toBe(part.few)
  },
)
