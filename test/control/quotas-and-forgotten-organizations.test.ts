import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import type { WireResponse } from '../../contracts/client/http-exchange.ts'
import { createControlTokenVerifier } from '../../simulator/control/control-token-verifier.ts'
import { noteUseOfOrganization } from '../../simulator/control/note-use-of-organization.ts'
import { createForgottenOrganizations } from '../../simulator/organizations/forgotten-organizations.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { ControlError } from '../../simulator/support/control-error.ts'
import { DAY, HOUR, MINUTE } from '../../simulator/support/duration.ts'
import { controlClient } from '../support/control-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  createSecondMerchant,
  initiateIris,
  irisRequestOf,
  merchantOf,
  merchantWith,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

test('beyond --max-organizations none is created, and after a removal one is', async () => {
  const simulator = await startScopedSimulator({ maxOrganizations: 2 })
  const ask = controlClient(simulator)
  const create = async (id: string) => (await ask('POST', 'organizations', { id })).status
  expect([await create('one'), await create('two')]).toEqual([201, 409])
  expect((await ask('POST', 'organizations', { id: 'two' })).body.error).toBe(
    'There are 2 organizations, and --max-organizations permits 2: remove one that is not used.',
  )
  await ask('DELETE', 'organizations/one')
  expect(await create('two')).toBe(201)
})

test('calls that come together are within the quotas too', async () => {
  const simulator = await startScopedSimulator({ maxOrganizations: 4, maxPayments: 3 })
  const ask = controlClient(simulator)
  const ids = Array.from({ length: 9 }, (_, at) => `shop-${at}`)
  const created = await Promise.all(ids.map(id => ask('POST', 'organizations', { id })))
  expect(created.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409, 409])
  const merchant = merchantOf(simulator)
  const calls = await Promise.all(ids.map(() => merchant.initiate(irisRequestOf(merchant))))
  expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429, 429])
})

test('beyond --max-payments an organization initiates none: 429/3000 with Retry-After, and repeats are replayed', async () => {
  let passed = 0
  const clock = createClock(() => Date.now() + passed)
  const simulator = await startScopedSimulator({ maxPayments: 2 }, { clock })
  const merchant = merchantOf(simulator)
  const idempotencyKey = crypto.randomUUID()
  const request = irisRequestOf(merchant)
  const first = await merchant.initiate(request, { idempotencyKey })
  const second = await initiateIris(merchant)
  const refused = await merchant.initiate(irisRequestOf(merchant))
  const { refusal } = refused as { refusal?: { statusInfo: { reasonCode: string; message: string } } }
  const { headers } = refused.exchange.response as WireResponse
  expect([refused.status, refusal?.statusInfo.reasonCode, headers['retry-after']]).toEqual([429, '3000', '60'])
  expect(refusal?.statusInfo.message).toContain('--max-payments')
  const again = await merchant.initiate(request, { idempotencyKey })
  expect(again.exchange.response?.body).toEqual(first.exchange.response?.body)
  expect((await merchant.status(second)).status).toBe(200)
  expect(await initiateIris(await createSecondMerchant(simulator))).toBeTruthy()
  await controlClient(simulator)('POST', `organizations/${simulator.kit.organizationId}/reset`, {})
  passed += MINUTE
  expect((await merchant.initiate(irisRequestOf(merchant))).status).toBe(200)
})

test('replays and refused calls take no place of --max-payments', async () => {
  const simulator = await startScopedSimulator({ maxPayments: 3 })
  const merchant = merchantOf(simulator)
  const request = irisRequestOf(merchant)
  const initiate = async (json: object, idempotencyKey = crypto.randomUUID()) =>
    (await merchant.request('initiate', { json, idempotencyKey })).response?.status
  const key = crypto.randomUUID()
  expect([await initiate(request, key), await initiate(request, key), await initiate(request, key)]).toEqual([
    200, 200, 200,
  ])
  expect(await initiate({ ...request, processingAccountId: 'of-nobody' })).toBe(403)
  expect(await initiate({ ...request, metadata: { order: '7' } }, key)).toBe(409)
  const rest = [await initiate(irisRequestOf(merchant)), await initiate(irisRequestOf(merchant))]
  expect([...rest, await initiate(irisRequestOf(merchant))]).toEqual([200, 200, 429])
})

test('what a snapshot brings back counts against --max-payments at once, and what a reset removes no more', async () => {
  const simulator = await startScopedSimulator({ maxPayments: 3 })
  const merchant = merchantOf(simulator)
  const at = `organizations/${simulator.kit.organizationId}`
  const ask = controlClient(simulator)
  const statuses = async (calls: number) => {
    const made: number[] = []
    for (let call = 0; call < calls; call += 1) made.push((await merchant.initiate(irisRequestOf(merchant))).status)
    return made
  }
  expect(await statuses(4)).toEqual([200, 200, 200, 429])
  expect((await ask('POST', `${at}/snapshots`, { name: 'full' })).status).toBe(201)
  expect((await ask('POST', `${at}/reset`, {})).status).toBe(200)
  expect(await statuses(1)).toEqual([200])
  expect((await ask('POST', `${at}/snapshots/full/restore`)).status).toBe(200)
  expect(await statuses(2)).toEqual([429, 429])
})

test('an organization that nobody uses is removed after --keep-organizations, across restarts', async () => {
  const dataDir = temporaryFolder()
  const start = Date.now()
  let passed = 0
  const startAt = async (at: number) => {
    passed = at
    const clock = createClock(() => start + passed)
    const simulator = await startScopedSimulator({ dataDir, keepOrganizations: 7 * DAY }, { clock })
    const ask = controlClient(simulator)
    const isThere = async (id: string) => (await simulator.controlPlane.organizations.find(id)) !== undefined
    return { simulator, ask, isThere }
  }
  const first = await startAt(0)
  for (const id of ['forgotten', 'acted-on', 'called']) await first.ask('POST', 'organizations', { id })
  await first.simulator.stop()

  const second = await startAt(HOUR)
  passed = 5 * DAY
  await second.ask('POST', 'organizations/acted-on/clock', { freeze: true })
  await second.ask('GET', 'organizations/forgotten/journal')
  const { kit, controlPlane } = second.simulator
  const credentials = await controlPlane.organizations.credentials('called')
  const merchant = merchantWith(credentialsFromKit({ ...kit, ...credentials }))
  await expect(merchant.initiate(irisRequestOf(merchant))).rejects.toThrow(/43\d{4} s old/) // and is a call all the same
  passed = 7 * DAY + 2 * HOUR
  await second.ask('POST', 'organizations/demo-merchant/clock', { freeze: true }) // saves until when uses are noted
  await second.simulator.stop()

  const third = await startAt(7 * DAY + 3 * HOUR)
  await expect.poll(() => third.isThere('forgotten')).toBe(false)
  expect([
    await third.isThere('acted-on'),
    await third.isThere('called'),
    await third.isThere('demo-merchant'),
  ]).toEqual([true, true, true])
})

test('calls without access note no use: no stranger keeps an organization, or makes up names of some', async () => {
  const noted: string[] = []
  const verifier = createControlTokenVerifier('hush', async () => undefined)
  const app = new Hono()
  app.use(noteUseOfOrganization(id => void noted.push(id), verifier))
  app.all('*', c => c.redirect('/portal/sign-in', 303))
  const act = (path: string, headers: Record<string, string> = {}) => app.request(path, { method: 'POST', headers })
  await act('/portal/organizations/invented/clock')
  await act('/control/organizations/shop/reset', { authorization: 'Bearer wrong' })
  await app.request('/control/organizations/shop/kit')
  expect(noted).toEqual([])
  await act('/control/organizations/shop/reset', { authorization: 'Bearer hush' })
  expect(noted).toEqual(['shop'])
})

test('the creation of an organization is a use, and notes that it is a new one', async () => {
  const noted: [string, boolean][] = []
  const app = new Hono()
  const verifier = createControlTokenVerifier(undefined, async () => undefined)
  app.use(noteUseOfOrganization((...use) => void noted.push(use), verifier))
  app.post('/control/organizations', c => c.json({ organizationId: 'ci', secret: 'x' }, 201))
  await app.request('/control/organizations', { method: 'POST' })
  expect(noted).toEqual([['ci', true]])
})

const USES = 'last-uses-of-organizations'

/** A store of organizations and of their last uses, which were noted until an instant. */
const fakeStore = (ids: readonly string[], uses: Record<string, number> = {}, notedUntil = 0) => {
  let names = ids
  const settings = new Map([
    [USES, JSON.stringify(uses)],
    ['uses-of-organizations-noted-until', String(notedUntil)],
  ])
  const store = {
    organizations: async () => names.map(organizationId => ({ organizationId })) as never,
    setting: async (name: string) => settings.get(name),
    saveSetting: async (name: string, value: string) => void settings.set(name, value),
  }
  const remove = (id: string): void => {
    names = names.filter(name => name !== id)
  }
  return {
    store,
    remove,
    names: () => names,
    lastUses: (): Record<string, number> => JSON.parse(settings.get(USES) ?? ''),
  }
}

test('uses of several replicas are merged, and one in the last hours keeps an organization', async () => {
  let now = 0
  const { store, lastUses, remove: removeNow, names } = fakeStore(['a', 'b', 'c', 'd'])
  const remove = async (id: string) => {
    if (id === 'b') throw new ControlError('unknown', 'another replica has removed it')
    removeNow(id)
  }
  const parts = { store, clock: { real: () => now }, keep: DAY, kept: ['c'], remove, onError: console.error }
  const [one, other] = [createForgottenOrganizations(parts), createForgottenOrganizations(parts)]
  await one.sweep()
  now = DAY
  one.noteUse('a')
  other.noteUse('b')
  other.noteUse('d')
  await expect.poll(() => lastUses().b).toBe(DAY)
  now = 2 * DAY
  expect(await one.sweep()).toEqual([])
  one.noteUse('a')
  await expect.poll(() => lastUses().a).toBe(2 * DAY)
  now = 2 * DAY + 2 * HOUR
  expect([await other.sweep(), names()]).toEqual([['d'], ['a', 'b', 'c']])
})

test('an organization that another replica uses while others are removed stays', async () => {
  const { store, lastUses, remove: removeNow, names } = fakeStore(['old', 'used'], { old: 1, used: 1 }, 10 * DAY)
  const remove = async (id: string) => {
    removeNow(id)
    await store.saveSetting(USES, JSON.stringify({ ...lastUses(), used: 10 * DAY }))
  }
  const parts = { store, clock: { real: () => 10 * DAY }, keep: DAY, kept: [], remove, onError: console.error }
  expect([await createForgottenOrganizations(parts).sweep(), names()]).toEqual([['old'], ['used']])
})

test('an organization that cannot be removed holds up no other, and is told', async () => {
  const { store } = fakeStore(['stuck', 'free'], { stuck: 1, free: 1 }, 10 * DAY)
  const told: unknown[] = []
  const remove = async (id: string) => {
    if (id === 'stuck') throw new Error('a statement took too long')
  }
  const onError = (error: unknown) => void told.push(error)
  const parts = { store, clock: { real: () => 10 * DAY }, keep: DAY, kept: [], remove, onError }
  expect(await createForgottenOrganizations(parts).sweep()).toEqual(['free'])
  expect(told).toHaveLength(1)
})

test('time in which nobody noted uses does not count, as the sandbox was down or ran without the option', async () => {
  let now = 30 * DAY
  const { store, remove: removeNow, names } = fakeStore(['idle', 'new'], { idle: 19.5 * DAY, new: 20 * DAY }, 20 * DAY)
  const remove = async (id: string) => removeNow(id)
  const parts = { store, clock: { real: () => now }, keep: DAY, kept: [], remove, onError: console.error }
  const { sweep } = createForgottenOrganizations(parts)
  expect(await sweep()).toEqual([])
  now += 0.6 * DAY
  expect([await sweep(), names()]).toEqual([['idle'], ['new']])
})

test('time in which nobody noted uses does not count either where the first look could not be saved', async () => {
  const { store } = fakeStore(['used'], { used: 20 * DAY }, 20 * DAY)
  let isFull = true
  const saveSetting = async (name: string, value: string) => {
    if (isFull) throw new Error('the disk is full')
    await store.saveSetting(name, value)
  }
  const parts = { store: { ...store, saveSetting }, clock: { real: () => 30 * DAY }, keep: DAY, kept: [] }
  const removed: string[] = []
  const remove = async (id: string) => void removed.push(id)
  const { sweep } = createForgottenOrganizations({ ...parts, remove, onError: console.error })
  await expect(sweep()).rejects.toThrow('full')
  isFull = false
  expect([await sweep(), removed]).toEqual([[], []])
})

test('an organization that was removed and is created again stays, whenever the earlier one was last used', async () => {
  let now = 10 * DAY
  const { store, lastUses, names } = fakeStore(['ci'], { ci: 1 }, 10 * DAY)
  const parts = { store, clock: { real: () => now }, keep: DAY, kept: [], onError: console.error }
  const { noteUse, sweep, settled } = createForgottenOrganizations({ ...parts, remove: async () => undefined })
  expect([await sweep(), names()]).toEqual([['ci'], ['ci']]) // removed, and created again at once
  now += MINUTE
  noteUse('ci', true)
  await settled()
  expect(lastUses().ci).toBe(now)
  expect(await sweep()).toEqual([])
})
