import { expect, onTestFinished, test, vi } from 'vitest'
import { createUnitGathering, type Outcome } from '../../simulator/store/postgres/gather-units-of-work.ts'
import { withFewWaiting } from '../../simulator/store/postgres/limit-waits-of-organization.ts'
import type { UnitOfWork } from '../../simulator/store/unit-of-work.ts'

type Unit = UnitOfWork<unknown>

const unitOf = (key: string): Unit => ({
  organizationId: 'shop',
  now: 0,
  needs: { key },
  decide: () => ({ result: key }),
})
const keysOf = (units: readonly Unit[]) => units.map(({ needs }) => needs.key)

/** Runners that note what they are given; each transaction ends when the test says so. */
const scene = (outcomeOf: (unit: Unit) => Outcome<string | undefined> = ({ needs }) => ({ done: needs.key })) => {
  const started: { keys: (string | undefined)[]; end(): void }[] = []
  const alone: (string | undefined)[] = []
  const run = createUnitGathering<string | undefined>({
    together: async units => {
      const { promise, resolve } = Promise.withResolvers<void>()
      started.push({ keys: keysOf(units), end: resolve })
      await promise
      return units.map(outcomeOf)
    },
    alone: async unit => {
      alone.push(unit.needs.key)
      return unit.needs.key
    },
  })
  return { started, alone, run: (...keys: string[]) => keys.map(key => run(unitOf(key))) }
}
const turn = () => new Promise(setImmediate)

test('what arrives while others are under way shares the next transaction, in its order', async () => {
  const { started, run } = scene()
  run('a')
  await turn()
  run('b')
  await turn()
  const ends = run('c', 'd', 'e')
  await turn()
  expect(started.map(({ keys }) => keys)).toEqual([['a'], ['b']])
  started[0]?.end()
  await turn()
  expect(started[2]?.keys).toEqual(['c', 'd', 'e'])
  started[2]?.end()
  expect(await Promise.all(ends)).toEqual(['c', 'd', 'e'])
})

test('units of one lock run one after the other, and hold up no unit of another', async () => {
  const { started, run } = scene()
  run('a', 'b', 'a', 'c', 'a')
  await turn()
  expect(started.map(({ keys }) => keys)).toEqual([['a', 'b', 'c']])
  started[0]?.end()
  await turn()
  expect(started[1]?.keys).toEqual(['a'])
  started[1]?.end()
  await turn()
  expect(started[2]?.keys).toEqual(['a'])
})

test('a unit that has to run alone does so, and the others have their results', async () => {
  const { started, alone, run } = scene(({ needs: { key } }) => {
    if (key === 'b') return 'alone'
    return key === 'c' ? { error: new Error('refused') } : { done: key }
  })
  const ends = Promise.allSettled(run('a', 'b', 'c'))
  await turn()
  started[0]?.end()
  expect((await ends).map(end => (end.status === 'fulfilled' ? end.value : end.reason.message))).toEqual([
    'a',
    'b',
    'refused',
  ])
  expect(alone).toEqual(['b'])
})

test('many units take several transactions', async () => {
  const { started, run } = scene()
  run(...Array.from({ length: 70 }, (_, at) => `k${at}`))
  await turn()
  started[0]?.end()
  await turn()
  expect(started.map(({ keys }) => keys.length)).toEqual([32, 32, 6])
  expect(started.flatMap(({ keys }) => keys)).toEqual(Array.from({ length: 70 }, (_, at) => `k${at}`))
})

test('D-114: of one organization so many wait for locks, and the next for three seconds at most', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const running: { of: string; end(): void }[] = []
  const run = withFewWaiting<void>(
    2,
    ({ organizationId }) => new Promise(end => running.push({ of: organizationId, end })),
  )
  const ends = ['shop', 'shop', 'shop', 'shop', 'other'].map(organizationId => run({ ...unitOf('a'), organizationId }))
  const settled = Promise.allSettled(ends)
  await turn()
  expect(running.map(({ of }) => of)).toEqual(['shop', 'shop', 'other'])
  running[0]?.end()
  await ends[0]
  await turn()
  expect(running.map(({ of }) => of)).toEqual(['shop', 'shop', 'other', 'shop'])
  vi.advanceTimersByTime(3_000)
  for (const { end } of running) end()
  expect((await settled).map(({ status }) => status)).toEqual([...Array(3).fill('fulfilled'), 'rejected', 'fulfilled'])
})
