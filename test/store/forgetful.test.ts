import { expect, onTestFinished, test } from 'vitest'
import { REAL_TIME } from '../../simulator/clock.ts'
import { DAY, HOUR } from '../../simulator/duration.ts'
import { forgetful } from '../../simulator/store/forgetful.ts'
import type { Horizon } from '../../simulator/store/retention-port.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { until } from '../support/poll.ts'
import { initiated, merchantOf, runningSimulator } from '../support/running.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { look, organization, save } from './records.ts'

/** A forgetful store, and every look that it has taken. */
const begin = async (keepPayments?: number) => {
  const looks: { organizationId: string; horizon: Horizon }[] = []
  const faults: unknown[] = []
  const kept = openSqliteStore(temporaryFolder())
  const watched = {
    ...kept,
    dropOver: (...asked: Parameters<typeof kept.dropOver>) => {
      looks.push({ organizationId: asked[0], horizon: asked[1] })
      return kept.dropOver(...asked)
    },
  }
  const clocks = new Map<string, number>()
  const now = (organizationId: string) => clocks.get(organizationId) ?? 0
  const store = forgetful(watched, { keepPayments, now, onFault: error => faults.push(error) })
  onTestFinished(() => store.close())
  for (const id of ['shop', 'other']) await store.addOrganization(organization(id))
  const setClock = (to: number, organizationId = 'shop') => void clocks.set(organizationId, to)
  const at = (now: number, organizationId = 'shop') => {
    setClock(now, organizationId)
    return look(store, {}, organizationId, now)
  }
  /** The looks so far, after everything that was begun has ended: a look takes one turn of the event loop. */
  const settled = async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(resolve => setImmediate(resolve))
    return looks
  }
  return { store, at, setClock, settled, kept, faults, watched }
}

test('D-109: an organization is looked through once an hour of its own clock, with the horizons of that hour', async () => {
  const { at, settled } = await begin(7 * DAY)
  const now = 400 * DAY
  await at(now)
  await settled()
  await at(now + HOUR - 1)
  expect(await settled()).toEqual([
    {
      organizationId: 'shop',
      horizon: { over: now, codes: now - DAY, past: now - 90 * DAY, payments: now - 7 * DAY },
    },
  ])
  await at(now + HOUR)
  await at(5, 'other')
  expect((await settled()).map(({ organizationId, horizon }) => [organizationId, horizon.over])).toEqual([
    ['shop', now],
    ['shop', now + HOUR],
    ['other', 5],
  ])
})

test('D-109: a clock that a reset has set back is looked at again', async () => {
  const { at, settled } = await begin()
  await at(400 * DAY)
  await settled()
  await at(3)
  expect((await settled()).at(-1)?.horizon).toEqual({
    over: 3,
    codes: 3 - DAY,
    past: 3 - 90 * DAY,
    payments: undefined,
  })
})

/** A key that goes after two days, and the life that it is part of. */
const withKey = async () => {
  const begun = await begin()
  const { store, settled, kept } = begun
  await save(store, { remember: { key: 'k', fingerprint: 'f', reply: { http: 200, body: '' }, expiresAt: 2 * DAY } })
  const life = await store.life('shop')
  await settled()
  /** As it is done: rows and clock before anybody can look. */
  const restore = () => {
    const restored = store.replaceLife('shop', life, REAL_TIME)
    begun.setClock(0)
    return restored
  }
  const keys = async () => (await kept.life('shop')).tables.remembered?.rows.length
  return { ...begun, restore, keys }
}

test('I3: what a snapshot brings back is not judged by the time that was, where a look is under way', async () => {
  const { at, restore, settled, keys } = await withKey()
  await at(400 * DAY)
  await restore()
  await settled()
  expect(await keys()).toBe(1)
})

test('I3: nor where a call is that began in the time that was', async () => {
  const { at, restore, settled, keys } = await withKey()
  const late = at(400 * DAY)
  await Promise.all([restore(), late])
  await settled()
  expect(await keys()).toBe(1)
})

test('I3: keys go after their 24 hours, in as many slices as it takes', async () => {
  const { store, at, kept } = await begin()
  for (let key = 0; key < 450; key += 1)
    await save(store, { remember: { key: `${key}`, fingerprint: 'f', reply: { http: 200, body: '' }, expiresAt: DAY } })
  await at(DAY)
  const left = await until(
    async () => (await kept.life('shop')).tables.remembered?.rows.length,
    rows => rows === 0,
  )
  expect(left).toBe(0)
})

test('what fails while it forgets is told, and the call has its answer', async () => {
  const { at, faults, watched, settled } = await begin()
  const broken = new Error('disk full')
  watched.dropOver = async () => Promise.reject(broken)
  await expect(at(1)).resolves.toBeDefined()
  await settled()
  expect(faults).toEqual([broken])
})

test('--keep-payments: a payment is there for so long on the clock of its organization, and then it is not', async () => {
  const simulator = await runningSimulator({ keepPayments: 2 * DAY })
  const merchant = merchantOf(simulator)
  const { organizationId } = simulator.kit
  const transactionId = await initiated(merchant)
  await simulator.operator.clock.advance(organizationId, DAY)
  expect((await merchant.status(transactionId)).status).toBe(200)
  await simulator.operator.clock.advance(organizationId, DAY)
  const last = await until(
    () => merchant.status(transactionId),
    ({ status }) => status === 404,
  )
  expect(last.status).toBe(404)
})
