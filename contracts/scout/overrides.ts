import { randomUUID } from 'node:crypto'
import { jsonOf, lineOf } from '../client/exchange.ts'
import { realTime } from '../client/real-time.ts'
import { marked, mockOf, overriding, pay, set, unique } from '../suites/mock.ts'
import type { World } from '../suites/world.ts'
import { finding, isServed, isWord, type Learned, leavesOf, merged, placeIn, valueAt } from './finding.ts'

/** Where the overrides of a mock come out again, and which word changes with it (S06, S30). */
export const scoutOverrides = async (world: World): Promise<Learned> => {
  if (world.profile.mocks?.initiate === undefined)
    return { found: [], open: ['fields.initiate: mocks.initiate must say first where overrides stand'] }
  const [payer, mark] = [unique('payer'), `mark-${randomUUID()}`]
  const expiresAt = new Date(realTime() + 20 * 60_000).toISOString()
  const overrides = { ...marked(mark), registeredAt: '2026-01-02T03:04:05Z', expiresAt }
  const taken = await set(world, overriding(mockOf(world.account, { payer }), { initiate: overrides }))
  const [mocked, usual] = [await pay(world, payer), await pay(world, unique('payer'))]
  if (!isServed(taken) || !isServed(mocked)) return { found: [], open: [`mocks: ${lineOf(taken)}, ${lineOf(mocked)}`] }
  const places = Object.entries(overrides).map(([name, value]) => {
    const place = placeIn([[mocked, told => told === value || isSameTime(told, value)]])
    return finding(`fields.initiate.${name}`, place, `an override came out: ${lineOf(mocked)}`, CONFIRMED[name])
  })
  const status = leavesOf(jsonOf(usual)).find(({ pointer, value }) => {
    const other = valueAt(mocked, pointer)
    return isWord(value) && isWord(other) && other !== value
  })?.pointer
  const word = status === undefined ? undefined : valueAt(mocked, status)
  const evidence = `the word that a mock with OK changed: ${lineOf(mocked)}`
  return merged([
    ...places,
    finding('fields.initiate.status', status, evidence),
    word === 'ACCEPTED' ? merged([]) : finding('enums.status', word && { ACCEPTED: word }, evidence, ['MCK-23']),
  ])
}

const CONFIRMED: Readonly<Record<string, readonly string[]>> = {
  providerTransactionId: ['MCK-13'],
  redirectUrl: ['MCK-14'],
  registeredAt: ['MCK-15'],
  expiresAt: ['MCK-15'],
}

const isSameTime = (told: string, value: string): boolean =>
  /^\d{4}-\d\d-\d\dT/.test(told) && Date.parse(told) === Date.parse(value)
