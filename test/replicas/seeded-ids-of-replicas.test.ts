import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createIdsAndResponseVariation } from '../../simulator/startup/create-ids-and-response-variation.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

describe.skipIf(postgres === undefined)('replicas with one seed (D-90)', () => {
  test('that start at the same time issue no id twice', async () => {
    const url = await createPostgresSchema(postgres?.url ?? '')
    const stores = await Promise.all(Array.from({ length: 3 }, () => openPostgresStore(url, () => undefined)))
    onTestFinished(async () => void (await Promise.all(stores.map(store => store.close()))))
    const started = await Promise.all(stores.map(store => createIdsAndResponseVariation('4711', store)))
    expect(new Set(started.map(({ ids }) => ids.uuid())).size).toBe(3)
    expect(await stores[0]?.setting('seeded-runs')).toBe('3')
  })
})
