import { expect, onTestFinished, test, vi } from 'vitest'
import { createResetAndRemoval } from '../../simulator/organizations/reset-and-removal.ts'
import { createSnapshotRegistry } from '../../simulator/organizations/snapshot-registry.ts'
import { REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { DAY } from '../../simulator/support/duration.ts'
import { startIris } from '../support/create-test-payments.ts'
import { SHOP } from '../support/simulator-core.ts'
import { openWebhookCore } from '../webhooks/simulator-core-with-webhooks.ts'

const nothing = async () => undefined as never

/** Opens an organization whose receiver has a webhook and does not respond before it is told to, and its snapshots. */
const withHeldReceiver = async () => {
  const [called, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const core = await openWebhookCore({}, async () => {
    called.resolve()
    await answered.promise
    return { durationMilliseconds: 1, response: { status: 204, headers: {}, body: '' } }
  })
  onTestFinished(() => answered.resolve())
  const others = { keyRotation: { restore: nothing, clamp: nothing }, tokens: { setBack: nothing }, onChange: nothing }
  const parts = { ...core, ...others, journal: { clear: () => undefined } }
  const snapshots = createSnapshotRegistry(parts as never)
  const organization = (await core.store.organization(SHOP)) as never
  await snapshots.take(organization, 'now')
  await core.control.advance(SHOP, DAY)
  await snapshots.take(organization, 'later')
  await snapshots.restore(organization, 'now')
  await core.endpoints.add(SHOP, { url: 'http://held.example/' })
  await startIris(core)
  const { reset } = createResetAndRemoval(parts as never)
  const restore = (name: string) => snapshots.restore(organization, name)
  return { ...core, reset, restore, isCalled: called.promise, answer: answered.resolve }
}
type Held = Awaited<ReturnType<typeof withHeldReceiver>>

const MOVES = {
  advance: ({ control }) => control.advance(SHOP, 30 * DAY),
  next: ({ control }) => control.advanceToNext(SHOP),
  to: ({ control, time }) => control.goTo(SHOP, time.now + 30 * DAY),
  drain: ({ control }) => control.drain(SHOP),
} satisfies Record<string, (desk: Held) => Promise<unknown>>

const REPLACEMENTS = {
  reset: ({ reset }) => reset(SHOP),
  'a restore': ({ restore }) => restore('now'),
  'a restore to a later instant': ({ restore }) => restore('later'),
  'a restore at another replica': async ({ clock, time }) => {
    clock.set(SHOP, { anchorReal: 0, anchorVirtual: time.now - DAY, rate: 0 })
    return clock.now(SHOP)
  },
} satisfies Record<string, (desk: Held) => Promise<number>>

test.each(
  Object.entries(MOVES).flatMap(([name, move]) =>
    Object.entries(REPLACEMENTS).map(([by, replace]) => [name, by, move, replace] as const),
  ),
)('D-93: %s under way ends with %s, and moves the new clock no further', async (_, __, move, replace) => {
  const desk = await withHeldReceiver()
  const moved = move(desk).catch(error => error)
  await desk.isCalled
  const now = await replace(desk)
  const transactionId = await startIris(desk)
  desk.answer()
  expect(await moved).toMatchObject({ kind: 'conflict', message: expect.stringContaining('move it again') })
  expect(desk.clock.now(SHOP)).toBe(now)
  expect((await desk.status(transactionId)).body.status).toBe('PENDING')
})

test('a reset waits for a move of the clock that is being saved, and has the last word', async () => {
  const { store, clock, control, reset } = await withHeldReceiver()
  const [saving, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { setClock } = store
  vi.spyOn(store, 'setClock').mockImplementationOnce(async (...asked) => {
    saving.resolve()
    await held.promise
    await setClock(...asked)
  })
  await store.resetOrganization(SHOP) // nothing is due
  const moved = control.advance(SHOP, DAY)
  await saving.promise
  const done = reset(SHOP)
  held.resolve()
  await Promise.allSettled([moved, done])
  expect((await store.organization(SHOP))?.clock).toEqual(REAL_TIME_SETTING)
  expect(clock.now(SHOP)).toBe(await done)
})
