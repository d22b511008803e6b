import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse } from './house.ts'
import { PARTS } from './parts/index.ts'
import { tryPart } from './try-part.ts'

// More of it, and chance: npm run fuzz. The usual run sends the same every time, so that no find stops somebody else's
// work; its input belongs into corpus/ then.
const SEED = process.env.ASSAY_PROOF === 'full' ? Number(process.env.ASSAY_LOT ?? 1) : 1
const TIMES = process.env.ASSAY_PROOF === 'full' ? 20 : 1

let house: House

beforeAll(() => {
  house = openHouse()
})

afterAll(() => house.close())

test.each(PARTS.map(part => [part.name, part] as const))(
  `%s bears what strangers send, from seed ${SEED}`,
  {
    timeout: 60_000 + TIMES * 60_000,
  },
  async (name, part) => {
    const judge = await part.open(house)
    const { find, tries } = await tryPart(part, judge, { seed: SEED, runs: part.few * TIMES })
    expect(find, `npm run fuzz -- --only ${name} --seed ${SEED} --minutes 0`).toBeUndefined()
    expect(tries).toBe(part.few * TIMES)
  },
)
