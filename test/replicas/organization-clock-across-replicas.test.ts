import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { decideAfterDueJobs } from '../../simulator/jobs/decide-after-due-jobs.ts'
import { resumeOrganizations } from '../../simulator/startup/resume-organizations.ts'
import { synchronizeWithReplicas } from '../../simulator/startup/synchronize-with-replicas.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import type { ReplicaEvent } from '../../simulator/store/replica-coordination-store.ts'
import type { Store } from '../../simulator/store/store.ts'
import { withRetention } from '../../simulator/store/with-retention.ts'
import { type ClockSetting, createClock } from '../../simulator/support/clock.ts'
import { readInUnit, writeInUnit } from '../store/run-unit-of-work.ts'
import { organization } from '../store/sample-records.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { pollUntil } from '../support/poll-until.ts'
import { startPostgres } from '../support/postgres-server.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

/** Joins a replica of which only the clock is real; returns the clock. */
const joined = async (store: Store) => {
  const clock = createClock()
  const nothing = () => undefined
  const rest = {
    jobs: { refresh: nothing, scheduled: nothing },
    identityCache: { invalidate: nothing },
    newsSignal: { notify: nothing },
    changes: { receive: nothing, shareBy: nothing },
    journal: { add: nothing, forget: nothing },
    closing: AbortSignal.abort(), // it looks for nothing by itself
    onError: nothing,
  }
  await synchronizeWithReplicas({ store, clock, journalSize: 1, ...rest } as never)
  return clock
}

const frozenAt = (anchorVirtual: number): ClockSetting => ({ anchorReal: 1, anchorVirtual, rate: 0 })

test('D-113: of two clock notifications the last wins, in whatever order they are handled', async () => {
  const answers: ((clock: ClockSetting) => void)[] = []
  let hear: (news: ReplicaEvent) => Promise<void> = async () => undefined
  const replicas = {
    subscribe: async (listen: typeof hear) => {
      hear = listen
    },
    shareCalls: async () => () => undefined,
    shareChanges: async () => () => undefined,
  }
  const store = { replicas, organization: () => new Promise(done => answers.push(clock => done({ clock }))) }
  const clock = await joined(store as unknown as Store)
  const heard = [1, 2].map(() => hear({ kind: 'clock', organizationId: 'shop' }))
  answers[1]?.(frozenAt(2_000))
  await heard[1]
  answers[0]?.(frozenAt(1_000))
  await Promise.all(heard)
  expect(clock.now('shop')).toBe(2_000)
})

test('D-113: a clock that is moved while a replica starts is not set back by what the start had read', async () => {
  const clock = createClock()
  const store = {
    organization: async () => ({}),
    organizationClocks: async () => {
      clock.set('shop', frozenAt(2_000)) // as another replica tells meanwhile
      return [
        { organizationId: 'shop', clock: frozenAt(1_000) },
        { organizationId: 'other', clock: frozenAt(1_000) },
      ]
    },
  }
  const controlPlane = { organizationDialects: { refresh: async () => [] } }
  const jobs = { scheduled: () => undefined }
  await resumeOrganizations({ store, clock, jobs, controlPlane } as never)
  expect(['shop', 'other'].map(clock.now)).toEqual([2_000, 1_000])
})

describe.skipIf(postgres === undefined)('a clock that two replicas move concurrently', () => {
  test('D-113: neither goes back nor loses a freeze, by a replica that has not heard of the other yet', async () => {
    const url = await createPostgresSchema(postgres?.url ?? '')
    const store = await openPostgresStore(url, () => undefined)
    onTestFinished(() => store.close())
    await store.addOrganization(organization('shop'))
    const real = 1_000
    const [ahead, behind] = [createClock(() => real), createClock(() => real)]
    const move = (clock: typeof ahead, change: { at?: number; rate?: number }) =>
      store.setClock('shop', clock.adjust('shop', change), change)
    await move(ahead, { rate: 0 })
    await move(ahead, { at: 9_000 })
    await move(behind, { at: 5_000 })
    expect((await store.organization('shop'))?.clock).toEqual({ anchorReal: real, anchorVirtual: 9_000, rate: 0 })
    await move(behind, { rate: 60 })
    expect((await store.organization('shop'))?.clock).toEqual({ anchorReal: real, anchorVirtual: 9_000, rate: 60 })
  })

  test('D-113: has the last committed setting at both', async () => {
    const url = await createPostgresSchema(postgres?.url ?? '')
    const open = async (more = '') => {
      const store = await openPostgresStore(`${url}${more}`, () => undefined)
      onTestFinished(() => store.close())
      return store
    }
    const stores = [await open(), await open(encodeURIComponent(' -c assay.who=slow'))] as const
    await stores[0].addOrganization(organization('shop'))
    const other = new pg.Client(url)
    await other.connect()
    onTestFinished(() => other.end())
    await other.query(`
      CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('assay.who', true) = 'slow' THEN PERFORM pg_advisory_xact_lock(77); END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER slow BEFORE UPDATE ON organizations EXECUTE FUNCTION slowly()`)
    await other.query('BEGIN; SELECT pg_advisory_xact_lock(77)')
    const clocks = [await joined(stores[0]), await joined(stores[1])] as const
    const move = (which: 0 | 1, at: number) =>
      stores[which].setClock('shop', clocks[which].adjust('shop', { at, rate: 0 }))
    const last = move(1, 2_000)
    await move(0, 1_000)
    await other.query('COMMIT')
    await last
    expect((await stores[0].organization('shop'))?.clock.anchorVirtual).toBe(2_000)
    expect(clocks.map(clock => clock.now('shop'))).toEqual([2_000, 2_000])
  })
})

/** A replica's store with one organization, and another client of its database. */
const openStoreAndClient = async () => {
  const url = await createPostgresSchema(postgres?.url ?? '')
  const store = await openPostgresStore(url, () => undefined)
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await store.close()
  })
  await store.addOrganization(organization('shop'))
  return { store, client }
}

describe.skipIf(postgres === undefined)('a clock that another replica set back with the state (I3, D-113)', () => {
  /** A replica two days ahead that has not heard of the restore, a key of the restored state, and another client. */
  const ahead = async () => {
    const { store, client } = await openStoreAndClient()
    const reply = { http: 200, body: '{}' }
    await writeInUnit(store, { idempotentReply: { key: 'k', fingerprint: 'f', reply, expiresAt: 5_000 } })
    const clock = createClock()
    clock.set('shop', frozenAt(9_000))
    await store.setClock('shop', frozenAt(9_000))
    const jobs = { refresh: async () => undefined }
    const call = () =>
      decideAfterDueJobs({ store, clock, jobs, runDue: async () => 0 }, 'shop', now => ({
        needs: { key: 'k' },
        decide: ({ idempotentReply }) => ({ result: { now, isReplay: idempotentReply !== undefined } }),
      }))
    return { store, client, clock, call }
  }
  const setBack = 'UPDATE organizations SET clock_anchor_virtual = 1000'

  test('is the one by which a call decides, also where it was waiting for the restore', async () => {
    const { client, clock, call } = await ahead()
    expect(await call()).toEqual({ now: 9_000, isReplay: false })
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(advisory_key('organization shop')); ${setBack}`)
    const called = call()
    const waiting = async () => (await client.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount
    await pollUntil(waiting, count => count === 1)
    await client.query('COMMIT')
    expect(await called).toEqual({ now: 1_000, isReplay: true })
    expect(clock.now('shop')).toBe(1_000)
  })

  test('is not taken by a call that had read it before this replica heard of a later one', async () => {
    const { store, client, clock, call } = await ahead()
    await client.query(setBack)
    const { transact } = store
    vi.spyOn(store, 'transact').mockImplementationOnce(async unit => {
      const decided = await transact(unit)
      await client.query('UPDATE organizations SET clock_anchor_virtual = 9500')
      clock.set('shop', frozenAt(9_500))
      return decided
    })
    expect(await call()).toMatchObject({ now: 9_500 })
    expect(clock.now('shop')).toBe(9_500)
  })

  test('is the one by which rows expire, also where the sweep was waiting for the restore', async () => {
    const { store, client, clock } = await ahead()
    const retaining = withRetention(store, {
      keepPayments: undefined,
      clock,
      onError: error => expect(error).toBeUndefined(),
    })
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(advisory_key('organization shop')); ${setBack}`)
    const { promise: isSwept, resolve } = Promise.withResolvers<void>()
    const { deleteExpired } = store
    vi.spyOn(store, 'deleteExpired').mockImplementationOnce(async (...asked) =>
      deleteExpired(...asked).finally(resolve),
    )
    await readInUnit(retaining, { isReadOnly: true })
    const waiting = async () => (await client.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount
    await Promise.race([isSwept, pollUntil(waiting, count => count === 1)])
    await client.query('COMMIT')
    await isSwept
    expect((await client.query('SELECT FROM idempotency_keys')).rowCount).toBe(1)
  })
})

describe.skipIf(postgres === undefined)(
  'a clock that another replica moved on while a call waited (D-93, D-113)',
  () => {
    const [BEFORE, AFTER] = [1_000, 9_000]

    /** A replica and a payment whose lock another client holds; `moveOn` moves the clock in the database and lets it go. */
    const waitingReplica = async () => {
      const { store, client } = await openStoreAndClient()
      await store.setClock('shop', frozenAt(BEFORE))
      const clock = createClock()
      clock.set('shop', frozenAt(BEFORE))
      await client.query("BEGIN; SELECT pg_advisory_xact_lock(advisory_key('organization shop'))")
      const called = decideAfterDueJobs(
        { store, clock, jobs: { refresh: async () => undefined }, runDue: async () => 0 },
        'shop',
        now => ({ needs: { key: 'k' }, decide: () => ({ result: now }) }),
      )
      await pollUntil(
        async () => (await client.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount,
        count => count === 1,
      )
      const moveOn = () => client.query(`UPDATE organizations SET clock_anchor_virtual = ${AFTER}; COMMIT`)
      return { clock, called, moveOn }
    }

    test('is the one by which it decides, where this replica has heard of the move', async () => {
      const { clock, called, moveOn } = await waitingReplica()
      clock.set('shop', frozenAt(AFTER))
      await moveOn()
      expect(await called).toBe(AFTER)
    })

    test('is the one by which it decides, where this replica has not heard of the move', async () => {
      const { clock, called, moveOn } = await waitingReplica()
      await moveOn()
      expect(await called).toBe(AFTER)
      expect(clock.now('shop')).toBe(AFTER)
    })
  },
)
