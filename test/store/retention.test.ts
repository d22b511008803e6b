import { expect, onTestFinished, test, vi } from 'vitest'
import type { RetentionCutoffs } from '../../simulator/store/retention-store.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { withRetention } from '../../simulator/store/with-retention.ts'
import { REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { DAY, HOUR } from '../../simulator/support/duration.ts'
import { pollUntil } from '../support/poll-until.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'
import { readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { organization } from './sample-records.ts'

/** Opens a store with retention, and records its calls to delete expired rows. */
const begin = async (keepPayments?: number) => {
  const looks: { organizationId: string; horizon: RetentionCutoffs }[] = []
  const faults: unknown[] = []
  const kept = openSqliteStore(temporaryFolder())
  const watched = {
    ...kept,
    deleteExpired: (...asked: Parameters<typeof kept.deleteExpired>) => {
      looks.push({ organizationId: asked[0], horizon: asked[1] })
      return kept.deleteExpired(...asked)
    },
  }
  const clocks = new Map<string, number>()
  const now = (organizationId: string) => clocks.get(organizationId) ?? 0
  const store = withRetention(watched, {
    keepPayments,
    clock: { now, isSetBackBy: () => false },
    onError: error => faults.push(error),
  })
  onTestFinished(() => store.close())
  for (const id of ['shop', 'other']) await store.addOrganization(organization(id))
  const setClock = (to: number, organizationId = 'shop') => void clocks.set(organizationId, to)
  const at = (now: number, organizationId = 'shop') => {
    setClock(now, organizationId)
    return readInUnit(store, {}, organizationId, now)
  }
  /** Waits for pending deletions, each of which takes a turn of the event loop; returns the recorded calls. */
  const settled = async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(resolve => setImmediate(resolve))
    return looks
  }
  return { store, at, setClock, settled, kept, faults, watched }
}

test('D-109: expired rows of an organization are deleted once an hour by its clock, with cutoffs of that hour', async () => {
  const { at, settled } = await begin(7 * DAY)
  const now = 400 * DAY
  await at(now)
  await settled()
  await at(now + HOUR - 1)
  expect(await settled()).toEqual([
    {
      organizationId: 'shop',
      horizon: {
        expired: now,
        blikCodes: now - DAY,
        messages: now - 90 * DAY,
        payments: now - 7 * DAY,
        ledgerEntries: now - 7 * DAY - 1,
      },
    },
  ])
  await at(now + HOUR)
  await at(5, 'other')
  expect((await settled()).map(({ organizationId, horizon }) => [organizationId, horizon.expired])).toEqual([
    ['shop', now],
    ['shop', now + HOUR],
    ['other', 5],
  ])
})

test('D-109: deletion runs again after a reset has set the clock back', async () => {
  const { at, settled } = await begin()
  await at(400 * DAY)
  await settled()
  await at(3)
  expect((await settled()).at(-1)?.horizon).toEqual({
    expired: 3,
    blikCodes: 3 - DAY,
    messages: 3 - 90 * DAY,
    payments: undefined,
    ledgerEntries: undefined,
  })
})

/** Saves an idempotency key that expires after two days, and the organization state with it. */
const withKey = async () => {
  const begun = await begin()
  const { store, settled, kept } = begun
  await writeInUnit(store, {
    idempotentReply: { key: 'k', fingerprint: 'f', reply: { http: 200, body: '' }, expiresAt: 2 * DAY },
  })
  const state = await store.organizationState('shop')
  await settled()
  /** Restores rows and clock together, as the product does. */
  const restore = () => {
    const restored = store.replaceOrganizationState('shop', 'one', state, REAL_TIME_SETTING)
    begun.setClock(0)
    return restored
  }
  const keys = async () => (await kept.organizationState('shop')).tables.idempotency_keys?.rows.length
  return { ...begun, restore, keys }
}

test('I3: a deletion in progress does not delete restored rows by the clock before the restore', async () => {
  const { at, restore, settled, keys } = await withKey()
  await at(400 * DAY)
  await restore()
  await settled()
  expect(await keys()).toBe(1)
})

test('I3: nor does a deletion by a call that began before the restore', async () => {
  const { at, restore, settled, keys } = await withKey()
  const late = at(400 * DAY)
  await Promise.all([restore(), late])
  await settled()
  expect(await keys()).toBe(1)
})

test('I3: expired idempotency keys are deleted in batches', async () => {
  const { store, at, kept } = await begin()
  for (let key = 0; key < 450; key += 1)
    await writeInUnit(store, {
      idempotentReply: { key: `${key}`, fingerprint: 'f', reply: { http: 200, body: '' }, expiresAt: DAY },
    })
  await at(DAY)
  const left = await pollUntil(
    async () => (await kept.organizationState('shop')).tables.idempotency_keys?.rows.length,
    rows => rows === 0,
  )
  expect(left).toBe(0)
})

test('D-109: the deletions of many organizations that are called at once follow one another', async () => {
  const { at, settled, watched } = await begin()
  const ends: (() => void)[] = []
  const deleteExpired = vi.spyOn(watched, 'deleteExpired')
  deleteExpired.mockImplementation(() => new Promise(resolve => ends.push(() => resolve(0))))
  await Promise.all(['shop', 'other'].map(organizationId => at(1, organizationId)))
  await settled()
  expect(ends.length).toBe(1)
  ends[0]?.()
  await settled()
  expect(deleteExpired.mock.calls.map(([organizationId]) => organizationId)).toEqual(['shop', 'other'])
  ends[1]?.()
})

test('a failed deletion is reported and does not fail the call', async () => {
  const { at, faults, watched, settled } = await begin()
  const broken = new Error('disk full')
  watched.deleteExpired = async () => Promise.reject(broken)
  await expect(at(1)).resolves.toBeDefined()
  await settled()
  expect(faults).toEqual([broken])
})

test('D-75: the ledger entries of a day are deleted together, once the whole day is past the cutoff', async () => {
  const { at, settled } = await begin(7 * DAY)
  await at(400 * DAY + 13 * HOUR)
  expect((await settled()).map(({ horizon }) => horizon.ledgerEntries)).toEqual([393 * DAY - 1])
})

test('--keep-payments: a payment is deleted after that time on its organization’s clock', async () => {
  const simulator = await startScopedSimulator({ keepPayments: 2 * DAY })
  const merchant = merchantOf(simulator)
  const { organizationId } = simulator.kit
  const transactionId = await initiateIris(merchant)
  await simulator.controlPlane.clock.advance(organizationId, DAY)
  expect((await merchant.status(transactionId)).status).toBe(200)
  await simulator.controlPlane.clock.advance(organizationId, DAY)
  const last = await pollUntil(
    () => merchant.status(transactionId),
    ({ status }) => status === 404,
  )
  expect(last.status).toBe(404)
})
