import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLeadership } from '../../simulator/store/postgres/divide-organizations-among-replicas.ts'
import { openListenNotifyConnection } from '../../simulator/store/postgres/listen-notify-connection.ts'
import { createNotificationLagMeter } from '../../simulator/store/postgres/measure-notification-lag.ts'
import { openDatabase } from '../../simulator/store/postgres/open-database.ts'
import { createReplicaCoordination } from '../../simulator/store/postgres/replica-coordination.ts'
import type { ReplicaEvent } from '../../simulator/store/replica-coordination-store.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

describe.skipIf(postgres === undefined)('a replica that dies between a commit and its notification', () => {
  test('R6: what it saved is found by the others, and runs', async () => {
    const store = await createPostgresSchema(postgres?.url ?? '')
    const merchant = merchantOf(await startScopedSimulator({ store }))
    const transactionId = await initiateIris(merchant)
    const other = new pg.Client(store)
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('UPDATE jobs SET due_at = 1 WHERE transaction_id = $1', [transactionId]) // as another may have, and told nobody
    const left = async () => (await other.query('SELECT FROM jobs WHERE transaction_id = $1', [transactionId])).rowCount
    await expect.poll(left).toBe(0)
  })
})

describe.skipIf(postgres === undefined)('a change that is saved and cannot be told to other replicas', () => {
  const join = async (url: string) => {
    const pool = await openDatabase(url, () => undefined)
    const replica = await createReplicaCoordination(url, pool, () => undefined)
    onTestFinished(async () => {
      await replica.close()
      await pool.end()
    })
    const heard: ReplicaEvent[] = []
    await replica.subscribe(async event => void heard.push(event))
    return { pool, replica, heard }
  }

  test.each(['identity', 'clock', 'reset'] as const)('is told later: %s', async kind => {
    const url = await createPostgresSchema(postgres?.url ?? '')
    const [changed, other] = [await join(url), await join(url)]
    vi.spyOn(changed.pool, 'with').mockRejectedValueOnce(new Error('no connection'))
    const event = { kind, organizationId: 'shop' } as const
    await expect(changed.replica.publish(event)).rejects.toThrow('no connection')
    await expect.poll(() => other.heard).toContainEqual(event)
    if (kind !== 'identity') expect(changed.heard).toContainEqual(event)
  })
})

describe.skipIf(postgres === undefined)('a channel that is first listened to while PostgreSQL is down', () => {
  test('is heard once it is back, as those before', async () => {
    const url = postgres?.url ?? ''
    const listener = openListenNotifyConnection(url, 'listener-of-test', () => undefined)
    onTestFinished(() => listener.close())
    const heard = new Set<string>()
    await listener.listen('before', text => heard.add(`before ${text}`))
    const measureLag = createNotificationLagMeter(listener, 'lag')
    postgres?.stop('immediate')
    await expect.poll(() => listener.isConnected()).toBe(false)
    await listener.listen('meanwhile', text => heard.add(`meanwhile ${text}`)).catch(() => undefined)
    expect(await measureLag()).toBe(Number.POSITIVE_INFINITY)
    postgres?.start()
    const both = [
      ['before', '1'],
      ['meanwhile', '2'],
    ] as const
    await expect
      .poll(async () => {
        await listener.notify(both).catch(() => undefined)
        return [...heard].sort()
      })
      .toEqual(['before 1', 'meanwhile 2'])
    expect(listener.isConnected()).toBe(true)
    expect(await measureLag()).toBeLessThan(1_000)
  })
})

test('the lag of notifications is known to be infinite while PostgreSQL takes one and does not respond', async () => {
  const listener = { listen: async () => undefined, notify: () => new Promise<void>(() => undefined) }
  expect(await createNotificationLagMeter(listener, 'lag')()).toBe(Number.POSITIVE_INFINITY)
})

describe.skipIf(postgres === undefined)('a replica that is closed while it connects again', () => {
  test('leaves no connection to PostgreSQL', async () => {
    const url = new URL(postgres?.url ?? '')
    const port = Number(url.port)
    const lines: Socket[] = []
    const forward = (near: Socket) => void near.pipe(connect(port, '127.0.0.1').on('error', () => undefined)).pipe(near)
    const proxy = createServer(near => {
      lines.push(near.on('error', () => undefined))
      if (lines.length === 1) forward(near)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void proxy.close())
    await once(proxy, 'listening')
    url.port = String((proxy.address() as AddressInfo).port)
    const listener = openListenNotifyConnection(url.href, 'closed-listener', () => undefined)
    await listener.listen('before', () => undefined)
    lines[0]?.destroy()
    await expect.poll(() => lines.length).toBe(2)
    await listener.close()
    const again = lines[1] as Socket
    forward(again)
    await expect.poll(() => again.closed).toBe(true)
  })
})

describe('the division of organizations between replicas', () => {
  const NAMES = ['a', 'b', 'c']
  const SHOPS = Array.from({ length: 300 }, (_, at) => `shop-${at}`)
  const leaders = async (names: readonly string[]) => {
    const all = names.map(name => ({ name, ...createLeadership(name, async () => names) }))
    for (const one of all) await one.lookAround()
    return SHOPS.map(shop => all.filter(one => one.leads(shop)).map(({ name }) => name))
  }

  test('each is led by one, each replica leads some, and one that goes moves only its own', async () => {
    const [before, after] = [await leaders(NAMES), await leaders(['a', 'b'])]
    expect(before.every(names => names.length === 1)).toBe(true)
    for (const name of NAMES) expect(before.filter(names => names.includes(name)).length).toBeGreaterThan(60)
    for (const [at, [leader = '']] of before.entries()) if (leader !== 'c') expect(after[at]).toEqual([leader])
  })

  test('a replica that knows of no other leads all', () => {
    const { leads } = createLeadership('a', async () => ['a'])
    expect(SHOPS.every(leads)).toBe(true)
  })
})
