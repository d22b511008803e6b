import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import type { Loaded, ReadSet, WriteSet } from '../../simulator/store/unit-of-work.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { dueJob, readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { change, organization, payment } from './sample-records.ts'
import { ATTEMPT, deliveryRecord, messageRecord } from './webhooks-contract.ts'

const postgres = await startPostgres('-c fsync=off -c autovacuum=off')
afterAll(() => postgres?.remove())

describe.skipIf(postgres === undefined)('units of work that share a transaction of PostgreSQL', () => {
  const open = async () => {
    const url = await createPostgresSchema(postgres?.url ?? '')
    const store = await openPostgresStore(url, () => undefined)
    await store.addOrganization(organization('shop'))
    await store.addOrganization(organization('other'))
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await store.close()
    })
    const transact = (needs: ReadSet, save: WriteSet, organizationId = 'shop') =>
      store.transact<Loaded>({
        organizationId,
        now: 0,
        needs,
        decide: loaded => ({ result: loaded, save }),
      })
    const savePayment = (id: string) => transact({ transactionId: id, key: id }, { change: change(payment(id)) })
    const transactionCount = async () =>
      Number((await client.query('SELECT pg_current_xact_id()::text::bigint AS id')).rows[0].id)
    return { url, store, client, transact, savePayment, transactionCount }
  }
  const ids = Array.from({ length: 30 }, (_, at) => `t${at}`)

  test('thirty take a few transactions, and each has saved its own', async () => {
    const { store, savePayment, transactionCount } = await open()
    const before = await transactionCount()
    await Promise.all(ids.map(savePayment))
    expect((await transactionCount()) - before).toBeLessThan(6)
    const found = await Promise.all(ids.map(id => readInUnit(store, { transactionId: id, events: true })))
    expect(found.map(one => one.payment?.transactionId)).toEqual(ids)
    expect(found.map(one => one.events.length)).toEqual(ids.map(() => 1))
  })

  test('I3: a payment that a unit of work has is not purged meanwhile', async () => {
    const { store, client, savePayment } = await open()
    await savePayment('t0')
    await savePayment('t1')
    const purge = () => store.deleteExpired('shop', { expired: -1, blikCodes: -1, messages: -1, payments: 9 }, 9)
    await client.query("BEGIN; SELECT pg_advisory_xact_lock(advisory_key('payment t1'))") // as a unit that has read it
    expect(await purge()).toBe(1)
    await client.query('COMMIT')
    expect(await purge()).toBe(1)
  })

  test('one that cannot be saved fails by itself', async () => {
    const { store, client, savePayment } = await open()
    await client.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN IF NEW.transaction_id = ''t7'' THEN RAISE ''refused'' USING ERRCODE = ''23514''; END IF; RETURN NEW; END';
      CREATE TRIGGER refuse BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION refuse()`)
    const ends = await Promise.allSettled(ids.map(savePayment))
    expect(ends.flatMap(({ status }, at) => (status === 'rejected' ? [ids[at]] : []))).toEqual(['t7'])
    const found = await Promise.all(ids.map(id => readInUnit(store, { transactionId: id })))
    expect(found.flatMap((one, at) => (one.payment ? [] : [ids[at]]))).toEqual(['t7'])
  })

  test('one with a number that PostgreSQL cannot hold fails by itself', async () => {
    const { transact, savePayment } = await open()
    const late = change(payment('late'), [{ name: 'shopper-window', dueAt: 1e17 }])
    const wrong = transact({ transactionId: 'late' }, { change: late })
    const ends = await Promise.allSettled([...ids.map(savePayment), wrong])
    expect(ends.map(({ status }) => status)).toEqual([...ids.map(() => 'fulfilled'), 'rejected'])
  })

  test('one whose decision throws fails by itself', async () => {
    const { store, savePayment } = await open()
    const thrown = store.transact({
      organizationId: 'shop',
      now: 0,
      needs: { key: 'k' },
      decide: () => {
        throw new Error('undecided')
      },
    })
    const ends = await Promise.allSettled([thrown, ...ids.map(savePayment)])
    expect(ends.flatMap(end => (end.status === 'rejected' ? [end.reason.message] : []))).toEqual(['undecided'])
  })

  test('one whose payment another client holds waits for it by itself', async () => {
    const { client, savePayment, transact } = await open()
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(advisory_key('payment t7'))`)
    const ends = ids.map(savePayment)
    await Promise.all(ends.filter((_, at) => at !== 7))
    const look = async () => (await transact({ transactionId: 't7', isReadOnly: true }, {})).payment
    expect(await look()).toBeUndefined()
    await client.query('COMMIT')
    await ends[7]
    expect(await look()).toBeDefined()
  })

  test('I3: those of one key see each other', async () => {
    const { transact, savePayment } = await open()
    const reply = { fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt: 9 }
    const same = Array.from({ length: 5 }, () => transact({ key: 'k' }, { idempotentReply: { key: 'k', ...reply } }))
    await Promise.all([...ids.map(savePayment), ...same])
    const seen = (await Promise.all(same)).map(({ idempotentReply }) => idempotentReply !== undefined)
    expect(seen).toEqual([false, true, true, true, true])
  })

  test('2.7: a fault for one call is triggered once', async () => {
    const { store, transact } = await open()
    const { faultId } = await store.addFault('shop', { operation: 'refund', kind: 'error', left: 1 })
    const calls = ids.map(id =>
      store.transact({
        organizationId: 'shop',
        now: 0,
        needs: { transactionId: id, key: id, providerCall: 'refund' },
        decide: ({ faults: [fault] }) => ({
          result: fault !== undefined,
          save: { change: change(payment(id)), spentFaultId: fault?.faultId },
        }),
      }),
    )
    const own = ids.map(id => transact({ transactionId: id }, { change: change(payment(id)) }, 'other'))
    expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(1)
    await Promise.all(own)
    expect((await store.faults('shop')).map(fault => fault.faultId)).not.toContain(faultId)
  })

  test.each([
    [false, 'parts no calls'],
    [true, 'is used up by one of them after the other'],
  ])('2.7: a mock that is oneTime %j %s', async (oneTime, _) => {
    const { transact, transactionCount } = await open()
    const mock = { processingAccountId: 'a', key: { type: 'PAYER_ID', value: 'p' }, oneTime, expiresAt: 9 }
    await transact({ key: 'set' }, { mock: mock as never })
    const before = await transactionCount()
    const call = (id: string) =>
      transact(
        { transactionId: id, key: id, mockKeys: { payerId: 'p' }, providerCall: 'initiate' },
        { change: change(payment(id)) },
      )
    const seen = await Promise.all(ids.map(call))
    expect(seen.map(({ mocks }) => mocks.length)).toEqual(ids.map(() => 1))
    const taken = (await transactionCount()) - before
    expect(taken < 6).toBe(!oneTime)
  })

  test('jobs that have to run alone keep their order', async () => {
    const { store } = await open()
    for (const id of ids)
      await writeInUnit(store, { change: change(payment(id), [{ name: 'shopper-window', dueAt: 1 }]) })
    await store.addPlan('shop', { planId: 'p', do: 'drop', left: 1 } as never)
    const jobs = (await store.dueJobs('shop', 1, 100)) as readonly { jobId: number; transactionId: string }[]
    const decided: string[] = []
    await Promise.all(
      jobs.map(({ jobId, transactionId }) =>
        store.transact({
          organizationId: 'shop',
          now: 1,
          needs: { jobId, transactionId, subscriptions: true },
          decide: ({ subscriptions }) => {
            expect(subscriptions?.plans).toHaveLength(1)
            decided.push(transactionId)
            return { result: undefined, save: { finishedJobId: jobId } }
          },
        }),
      ),
    )
    expect(decided.filter((id, at) => decided.lastIndexOf(id) === at)).toEqual(ids)
  })

  test('D-114: while another replica resets an organization, units of others have the connections that they need', async () => {
    const { store, client, transact, url } = await open()
    const deliveries = ids.map(id => deliveryRecord(id, 'm', 1, id))
    await store.addMessage('shop', messageRecord('m', 1))
    await store.addDeliveries('shop', deliveries)
    const replica = await openPostgresStore(url, () => undefined)
    onTestFinished(() => replica.close())
    await client.query("BEGIN; SELECT FROM organizations WHERE organization_id = 'shop' FOR UPDATE") // parks the reset
    const reset = replica.resetOrganization('shop')
    const lockWaits = async () => (await client.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount
    await expect.poll(lockWaits).toBe(1)
    const claims = Promise.all(ids.map(id => store.dueDeliveryTo('shop', id, 9)))
    expect(await claims).toEqual(ids.map(() => 'claimed'))
    const saves = deliveries.map(one => store.saveAttempt('shop', { delivery: one, attempt: ATTEMPT }))
    expect(await Promise.all(saves)).toEqual(ids.map(() => 'busy'))
    const ends = Promise.all(ids.map(id => transact({ transactionId: id }, { change: change(payment(id)) })))
    await expect.poll(lockWaits).toBeGreaterThan(1)
    for (const id of ['o1', 'o2', 'o3']) await transact({ transactionId: id }, { change: change(payment(id)) }, 'other')
    expect(await store.findOrganizations({ text: 'other', from: 0, limit: 1 })).toMatchObject({ all: 2 })
    await client.query('COMMIT')
    await Promise.all([reset, ends])
    const found = await Promise.all(ids.map(id => readInUnit(store, { transactionId: id })))
    expect(found.filter(one => one.payment)).toHaveLength(30)
  })

  test('6: an attempt leaves the claim that another replica has on the same delivery meanwhile', async () => {
    const { store, client } = await open()
    await store.addMessage('shop', messageRecord('m', 1))
    const delivery = deliveryRecord('d', 'm', 1, 'e')
    await store.addDeliveries('shop', [delivery])
    const claimedBy = async () => (await client.query('SELECT claimed_by FROM deliveries')).rows[0].claimed_by
    await store.dueDeliveryTo('shop', 'e', 9)
    await client.query("UPDATE deliveries SET claimed_by = 'another'") // as our listening connection was gone
    await store.saveAttempt('shop', { delivery, attempt: ATTEMPT })
    expect(await claimedBy()).toBe('another')
    await client.query('UPDATE deliveries SET claimed_by = NULL')
    await store.dueDeliveryTo('shop', 'e', 9)
    await store.saveAttempt('shop', { delivery, attempt: ATTEMPT })
    expect(await claimedBy()).toBeNull()
  })

  test('a row that another client holds does not hold up the others', async () => {
    const { client, transact, savePayment } = await open()
    const setMock = (key: string) =>
      transact(
        { key },
        { mock: { processingAccountId: 'a', key: { type: 'PAYER_ID', value: 'p' }, expiresAt: 9 } as never },
      )
    await setMock('first')
    await client.query('BEGIN; SELECT FROM mocks FOR UPDATE')
    const waiting = [setMock('second')]
    await Promise.all(ids.map(savePayment))
    waiting.push(setMock('third')) // the only one of its transaction
    const lockWaits = async () => (await client.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount
    await expect.poll(lockWaits).toBe(2)
    await client.query('COMMIT')
    await Promise.all(waiting)
  })

  test('2.7: a oneTime mock that is replaced during a call is met by it', async () => {
    const { client, transact } = await open()
    const mock = {
      processingAccountId: 'a',
      key: { type: 'PAYER_ID', value: 'p' },
      oneTime: true,
      expiresAt: 9,
    } as never
    await transact({ key: 'set' }, { mock })
    await client.query('BEGIN; UPDATE mocks SET mock_id = DEFAULT')
    const call = transact({ key: 'call', providerCall: 'refund', mockKeys: { payerId: 'p' } }, {})
    const lockWaits = async () => (await client.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount
    await expect.poll(lockWaits).toBe(1)
    await client.query('COMMIT')
    expect((await call).mocks).toHaveLength(1)
  })

  test('R4: jobs that are finished together are gone, and one that was gone saves nothing', async () => {
    const { store, transact } = await open()
    await Promise.all(
      ids.map(id =>
        writeInUnit(store, { change: change(payment(id, { state: 'SETTLED' }), [{ name: 'dispute', dueAt: 1 }]) }),
      ),
    )
    const jobs = await store.dueJobs('shop', 1, 100)
    expect(jobs).toHaveLength(30)
    await writeInUnit(store, { finishedJobId: jobs[3]?.jobId })
    const finish = ({ jobId, transactionId = '' }: { jobId: number; transactionId?: string }) =>
      transact(
        { transactionId, jobId },
        {
          finishedJobId: jobId,
          change: change(payment(transactionId, { state: 'DISPUTED' }), [{ name: 'dispute-decision', dueAt: 2 }]),
        },
      )
    await Promise.all(jobs.map(job => finish(job as { jobId: number; transactionId: string })))
    const states = await Promise.all(
      ids.map(async id => (await readInUnit(store, { transactionId: id })).payment?.state),
    )
    expect(states.filter(state => state === 'SETTLED')).toHaveLength(1)
    expect(await dueJob(store, 'shop', 1)).toBeUndefined()
    expect(await store.dueJobs('shop', 2, 100)).toHaveLength(29)
  })
})
