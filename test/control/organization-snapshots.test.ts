import { describe, expect, test } from 'vitest'
import { serializeSnapshot } from '../../simulator/organizations/snapshot-document.ts'
import { createSnapshotRegistry } from '../../simulator/organizations/snapshot-registry.ts'
import { controlClient, createMerchantOrganization } from '../support/control-client.ts'
import { pollUntil } from '../support/poll-until.ts'
import { openCore, SHOP } from '../support/simulator-core.ts'
import { firstAccountOf, initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const begin = async () => {
  const simulator = await startScopedSimulator()
  return { simulator, ask: controlClient(simulator), ...(await createMerchantOrganization(simulator, 'shop')) }
}

/** State of an organization as merchant and control see it. */
const seen = async (
  ask: ReturnType<typeof controlClient>,
  here: string,
  merchant: ReturnType<typeof merchantOf>,
  id: string,
) => [
  (await merchant.events(id)).exchange.response?.body.toString(),
  (await merchant.search({ processingAccountId: firstAccountOf(merchant) })).exchange.response?.body.toString(),
  (await ask('GET', `${here}/faults`)).body.faults.map(({ faultId: _, ...fault }: { faultId: number }) => fault),
  (await ask('GET', `${here}/webhooks`)).body,
  (await ask('GET', `${here}/clock`)).body,
]

describe('a snapshot', () => {
  test('is refused beside 50 others, with the cure, unless it takes the place of one', async () => {
    const core = await openCore()
    const never = {} as never // to restore a snapshot alone
    const parts = { ...core, tokens: never, keyRotation: never, onChange: () => undefined }
    const [snapshots, shop] = [createSnapshotRegistry(parts), await core.store.organization(SHOP)]
    if (!shop) throw new Error('There is no organization.')
    for (let nth = 1; nth < 50; nth += 1)
      await core.store.saveSnapshot(SHOP, { name: `s${nth}`, takenAt: 1, document: '{}' })
    const taken = await Promise.allSettled(['a', 'b', 'c'].map(name => snapshots.take(shop, name)))
    expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    await expect(snapshots.take(shop)).rejects.toThrow(/^There are 50 snapshots: delete one/)
    const [{ name = '' } = {}] = await snapshots.list(SHOP)
    const document = JSON.parse(await snapshots.document(SHOP, name))
    expect(await snapshots.put(shop, name, document)).toMatchObject({ replaced: true })
    await expect(snapshots.put(shop, 'another', document)).rejects.toThrow(/^There are 50 snapshots/)
    await snapshots.remove(SHOP, 's1')
    expect(await snapshots.put(shop, 'another', document)).toMatchObject({ replaced: false })
  })

  test('is refused where all would exceed 256 MiB together', async () => {
    const core = await openCore()
    const never = {} as never
    const saved = async () => [{ name: 'large', takenAt: 1, bytes: 256 * 1024 * 1024 - 1 }]
    const store = { ...core.store, snapshots: saved }
    const snapshots = createSnapshotRegistry({
      ...core,
      store,
      tokens: never,
      keyRotation: never,
      onChange: () => undefined,
    })
    const shop = await core.store.organization(SHOP)
    await expect(snapshots.take(shop as never)).rejects.toThrow(/exceed 256 MiB together: delete one/)
  })

  test('is refused as soon as more than 64 MiB of the state are read, with the cure', async () => {
    const core = await openCore()
    const never = {} as never
    let read = 0
    const store = {
      ...core.store,
      organizationState: async (_: string, onRows: (rows: string[][]) => void = () => undefined) => {
        for (; read < 100; read += 1) onRows([['x'.repeat(1024 * 1024)]])
        return { tables: {}, capabilities: {} }
      },
    }
    const parts = { ...core, store, tokens: never, keyRotation: never, onChange: () => undefined }
    const taken = createSnapshotRegistry(parts).take((await core.store.organization(SHOP)) as never)
    await expect(taken).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/^This state takes more than 64 MiB.*: take it earlier, or reset first\.$/),
    })
    expect(read).toBe(63)
  })

  test('restores the organization and its clock, any number of times', async () => {
    const { ask, merchant, here } = await begin()
    await ask('POST', `${here}/clock`, { advance: 'P3D' })
    await ask('POST', `${here}/clock`, { freeze: true })
    await ask('POST', `${here}/webhooks`, { url: 'http://127.0.0.1:1/hook' })
    await ask('POST', `${here}/faults`, { operation: 'refund', kind: 'error', times: 3 })
    const id = await initiateIris(merchant)
    const tries = async () => (await ask('GET', `${here}/deliveries`)).body.deliveries[0]?.tries
    expect(await pollUntil(tries, number => number === 1)).toBe(1) // the first of them moves what is next due
    const before = await seen(ask, here, merchant, id)
    const taken = await ask('POST', `${here}/snapshots`, { name: 'one-waiting' })
    expect(taken).toMatchObject({ status: 201, body: { name: 'one-waiting', bytes: expect.any(Number) } })
    expect((await ask('GET', `${here}/snapshots`)).body).toEqual({ snapshots: [taken.body] })
    for (const spoil of ['reset', 'clock/drain']) {
      await ask('POST', `${here}/${spoil}`)
      expect(await seen(ask, here, merchant, id)).not.toEqual(before)
      const restored = await ask('POST', `${here}/snapshots/one-waiting/restore`)
      expect(restored).toEqual({ status: 200, body: { now: taken.body.takenAt } })
      expect(await seen(ask, here, merchant, id)).toEqual(before)
    }
    const [, { body }] = [
      await ask('POST', `${here}/payments/${id}/shopper`, { action: 'approve' }),
      await ask('POST', `${here}/clock/drain`),
    ]
    expect(body.ran).toBeGreaterThan(0)
  })

  test('5.2, 7.3: when it is restored, later tokens and keys end before the rows change, after which a crash may come', async () => {
    const core = await openCore()
    const order: string[] = []
    const step = (name: string) => async () => void order.push(name)
    const store = {
      ...core.store,
      replaceOrganizationState: async () => {
        await step('rows')()
        throw new Error('the process ends')
      },
    }
    const others = {
      tokens: { setBack: step('tokens') },
      keyRotation: { clamp: step('keys') },
      onChange: () => undefined,
    }
    const snapshots = createSnapshotRegistry({ ...core, store, ...others })
    const shop = (await core.store.organization(SHOP)) as never
    await snapshots.take(shop, 'early')
    await core.control.advance(SHOP, 3_600_000)
    await expect(snapshots.restore(shop, 'early')).rejects.toThrow('the process ends')
    expect(order).toEqual(['tokens', 'keys', 'rows'])
  })

  test('is named by the first free number unless given a name, and names are unique', async () => {
    const { ask, here } = await begin()
    expect((await ask('POST', `${here}/snapshots`, { name: 'mine' })).status).toBe(201)
    for (const name of ['snapshot-1', 'snapshot-2'])
      expect((await ask('POST', `${here}/snapshots`)).body.name).toBe(name)
    expect((await ask('POST', `${here}/snapshots`, { name: 'snapshot-2' })).status).toBe(409)
    expect(await ask('DELETE', `${here}/snapshots/snapshot-1`)).toEqual({
      status: 200,
      body: { deleted: 'snapshot-1' },
    })
    for (const [method, path] of [
      ['DELETE', ''],
      ['GET', ''],
      ['POST', '/restore'],
    ] as const)
      expect((await ask(method, `${here}/snapshots/snapshot-1${path}`)).status).toBe(404)
    expect((await ask('POST', `${here}/snapshots`)).body.name).toBe('snapshot-1')
    for (const name of ['', '-x', 'a b', 'x'.repeat(64), 7])
      expect((await ask('POST', `${here}/snapshots`, { name })).status).toBe(400)
  })

  test('survives a reset and is deleted with its organization', async () => {
    const { ask, here } = await begin()
    await ask('POST', `${here}/snapshots`, { name: 'kept' })
    await ask('POST', `${here}/reset`)
    expect((await ask('GET', `${here}/snapshots`)).body.snapshots).toHaveLength(1)
    await ask('DELETE', here)
    await ask('POST', 'organizations', { id: 'shop' })
    expect((await ask('GET', `${here}/snapshots`)).body.snapshots).toEqual([])
  })
})

describe('an uploaded snapshot', () => {
  test('can be restored in another organization of another installation', async () => {
    const { ask, merchant, here } = await begin()
    const id = await initiateIris(merchant)
    await ask('POST', `${here}/clock`, { advance: 'PT10M' })
    await ask('POST', `${here}/snapshots`, { name: 'a' })
    const { body: document } = await ask('GET', `${here}/snapshots/a`)
    expect(JSON.stringify(document)).not.toContain('PRIVATE KEY')

    const elsewhere = await startScopedSimulator()
    const [asked, other] = [controlClient(elsewhere), merchantOf(elsewhere)]
    const there = 'organizations/demo-merchant/snapshots/from-a-friend'
    expect((await asked('PUT', there, document)).status).toBe(201)
    expect((await asked('PUT', there, JSON.stringify(document, null, 2))).status).toBe(200)
    expect((await asked('POST', `${there}/restore`)).status).toBe(200)
    const found = await other.status(id)
    expect(found.ok && found.body.processingAccountId).toBe(firstAccountOf(other))
    expect(
      (await other.search({ processingAccountId: firstAccountOf(other) })).exchange.response?.body.toString(),
    ).toContain(id)
    await asked('POST', `organizations/demo-merchant/payments/${id}/shopper`, { action: 'approve' })
    expect((await other.finalize({ processingAccountId: firstAccountOf(other), transactionId: id })).status).toBe(200)
    expect(JSON.stringify((await asked('GET', there)).body)).not.toContain('shop-account')
  })

  test('of an earlier version says who was delivering a webhook, which is left out', async () => {
    const { ask, here } = await begin()
    await ask('POST', `${here}/webhooks`, { url: 'http://127.0.0.1:1/hook' })
    await ask('POST', `${here}/snapshots`, { name: 'a' })
    const { digest: _, ...content } = (await ask('GET', `${here}/snapshots/a`)).body
    const { columns } = content.tables.deliveries
    const values = {
      organization_id: 'shop',
      delivery_id: 'd',
      endpoint_id: 'e',
      message_id: 'm',
      state: 'delivered',
      attempt_count: 1,
      first_due_at: 1,
    }
    const row = columns.map((name: keyof typeof values) => values[name] ?? null)
    content.tables.deliveries = { columns: ['claimed_by', ...columns], rows: [['assay-replica', ...row]] }
    const { text } = await serializeSnapshot(content)
    expect(await ask('PUT', `${here}/snapshots/b`, text)).toMatchObject({ status: 201 })
    expect((await ask('POST', `${here}/snapshots/b/restore`)).status).toBe(200)
    const { body } = await ask('GET', `${here}/snapshots/b`)
    expect(body.tables.deliveries).toEqual({ columns, rows: [row] })
  })

  test('is refused with 409 while its payments exist in another organization', async () => {
    const { simulator, ask, merchant, here } = await begin()
    const id = await initiateIris(merchant)
    await ask('POST', `${here}/clock`, { advance: 'PT20M' })
    await ask('POST', `${here}/snapshots`, { name: 'a' })
    const { body: document } = await ask('GET', `${here}/snapshots/a`)
    const there = 'organizations/demo-merchant/snapshots/a'
    const now = async () => Date.parse((await ask('GET', 'organizations/demo-merchant/clock')).body.now)
    const before = await now()
    expect((await ask('PUT', there, document)).status).toBe(201)
    expect((await ask('POST', `${there}/restore`)).status).toBe(409)
    expect((await merchantOf(simulator).status(id)).status).toBe(404)
    expect((await now()) - before).toBeLessThan(600_000)
    await ask('DELETE', here)
    expect((await ask('POST', `${there}/restore`)).status).toBe(200)
    expect((await merchantOf(simulator).status(id)).status).toBe(200)
  })

  test('may have a larger body than any other call', async () => {
    const { ask, here } = await begin()
    const large = `{"x":"${'x'.repeat(200_000)}"}`
    expect((await ask('PUT', `${here}/snapshots/a`, large)).status).toBe(400)
    expect((await ask('POST', `${here}/snapshots`, large)).status).toBe(413)
    expect((await ask('POST', `${here}/snapshots/a`, large)).status).toBe(413)
    expect((await ask('POST', `${here}/snapshots/a/restore`, large)).status).toBe(413)
  })

  // biome-ignore format: a table reads by its columns
  test.each<[string, (document: Record<string, unknown>) => unknown, RegExp]>([
    ['no object',              () => [],                                                    /format/],
    ['nothing',                () => ({}),                                                  /format/],
    ['another format',         document => ({ ...document, format: 'assay-snapshot-9' }),   /assay-snapshot-9/],
    ['a changed time',         document => ({ ...document, takenAt: '2020-01-01T00:00:00.000Z' }), /changed/],
    ['a member more',          document => ({ ...document, extra: 1 }),                     /changed/],
    ['what is nested deeply',  document => `${JSON.stringify(document).slice(0, -1)},"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`, /nested deeper/],
    ['a member less',          ({ capabilities: _, ...document }) => document,              /changed/],
  ])('is refused with the reason: %s', async (_what, spoil, reason) => {
    const { ask, here } = await begin()
    await ask('POST', `${here}/snapshots`, { name: 'a' })
    const { body: document } = await ask('GET', `${here}/snapshots/a`)
    const { status, body } = await ask('PUT', `${here}/snapshots/b`, spoil(document))
    expect([status, body.error]).toEqual([400, expect.stringMatching(reason)])
    expect((await ask('GET', `${here}/snapshots/b`)).status).toBe(404)
  })
})
