import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../simulator/store/postgres/open-database.ts'
import { addToRateLimit } from '../../simulator/store/postgres/rate-limit-buckets.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

const PER_SECOND = 50
const NOW = 3_600_000

describe.skipIf(postgres === undefined)('rate-limit buckets in PostgreSQL', () => {
  const open = async () => {
    const pool = await openDatabase(await createPostgresSchema(postgres?.url ?? ''), () => undefined)
    onTestFinished(() => pool.end())
    return (now: number, calls: number) => addToRateLimit(pool, 'loud', { calls, now, perSecond: PER_SECOND })
  }

  test('8: a call that waited for its turn does not empty the bucket for those after it', async () => {
    const add = await open()
    expect(await add(NOW, PER_SECOND)).toBe(PER_SECOND)
    for (let late = 0; late < 5; late += 1) {
      expect(await add(NOW - 900, 1)).toBeGreaterThan(PER_SECOND)
      expect(await add(NOW, 1)).toBeGreaterThan(PER_SECOND)
    }
    expect(await add(NOW + 1_000, PER_SECOND)).toBe(PER_SECOND)
  })

  test('D-111: a clock that is set back does not stop the bucket', async () => {
    const add = await open()
    await add(NOW, PER_SECOND)
    await add(0, 1)
    expect(await add(1_000, PER_SECOND)).toBe(PER_SECOND)
  })
})
