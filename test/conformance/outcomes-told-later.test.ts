import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { EmptyCell } from '../../contracts/harness/judge/judge-grid-cells.ts'
import { Inconclusive, Mismatch } from '../../contracts/harness/judge/verdict-errors.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { createCheckRegistry } from '../../contracts/harness/run/check-registry.ts'
import type { OperationName } from '../../contracts/operations.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const profile = readProfile(SIMULATOR_PROFILE)
const registry = createCheckRegistry(CHECK_SCENARIOS)

const answering = (endpoint: OperationName, body: unknown, status = 200): Exchange => ({
  request: { method: 'POST', url: 'https://localhost/', headers: {}, endpoint },
  response: { status, headers: {}, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 1,
})

const pending = answering('initiate', { transactionId: 'id', status: 'PENDING', statusInfo: { reasonCode: '-1' } })
const told = (state: string, reasonCode: string) =>
  answering('status', { lifecycle: { state }, statusInfo: { reasonCode } })

test.each([
  ['BLK-04', 'BLK-04', 'BLK-04 outcome'],
  ['BLK-06', 'BLK-06 used code', 'BLK-06 outcome'],
])('7.5, E5, S44: %s finds its code where the provider tells it after initiate', async (id, initiated, outcome) => {
  const judge = async (status: Exchange) => {
    const steps: Readonly<Record<string, Exchange>> = { first: pending, [initiated]: pending, [outcome]: status }
    const evidence = { transcript: [], of: (step: string) => steps[step] ?? pending }
    await registry.get(id)?.judge(evidence, createExpect(profile, { id }))
  }
  await expect(judge(told('DECLINED', '4000'))).resolves.toBeUndefined()
  await expect(judge(told('DECLINED', '2001'))).rejects.toThrow(Mismatch)
  await expect(judge(told('AWAITING_SHOPPER', '-1'))).rejects.toThrow(Mismatch)
})

/** The profile of a deployment without a control API, of which nothing says how long an effect may take. */
const { control: _, settlement: __, ...uncontrolled } = profile
const states = { ...profile.states, processing: ['PROCESSING'] }
const slow: Profile = { ...uncontrolled, states }
const prompt: Profile = { ...slow, patience: 'PT15S' }

type Steps = Readonly<Record<string, Exchange>>

/** Judges a check by the exchanges of its steps; returns what it threw. */
const judged = async (id: string, steps: Steps, by: Profile): Promise<unknown> => {
  const check = registry.get(id)
  if (!check) throw new Error(`There is no check ${id}.`)
  const of = (step: string): Exchange => {
    const exchange = steps[step]
    if (!exchange) throw new EmptyCell('no such call was made')
    return exchange
  }
  try {
    await check.judge({ transcript: Object.values(steps), of }, createExpect(by, check))
  } catch (error) {
    return error
  }
}

const accepted = (endpoint: OperationName, more: object = {}) =>
  answering(endpoint, { transactionId: 'id', status: 'ACCEPTED', statusInfo: { reasonCode: '-1' }, ...more }, 202)
const approved = (endpoint: OperationName, more: object = {}) =>
  answering(endpoint, { transactionId: 'id', status: 'APPROVED', statusInfo: { reasonCode: '-1' }, ...more })
const inState = (state: string) => approved('status', { lifecycle: { state } })

const forbidden = (id: string, step: string, later: Exchange, call = accepted('charge')): Steps => ({
  ...{ charge: approved('charge'), [step]: call, [`${step}, later`]: later, [`${id} status`]: inState('DECLINED') },
})

// biome-ignore format: a table reads by its columns
test.each([
  ['GRD-45', 'PROCESSING',        slow,   Inconclusive],
  ['GRD-45', 'AWAITING_SHOPPER',  slow,   Inconclusive],
  ['GRD-45', 'DECLINED',          slow,   undefined],
  ['GRD-45', 'AUTHORIZED',        slow,   Mismatch],
  ['GRD-45', 'PROCESSING',        prompt, Mismatch],
  ['VAL-46', 'PROCESSING',        slow,   Inconclusive],
  ['VAL-46', 'CAPTURED',          slow,   Mismatch],
] as const)('E5: %s of a charge whose payment is %s after the wait', async (id, state, by, verdict) => {
  const steps = forbidden(id, `${id} charge`, inState(state))
  const error = await judged(id, steps, by)
  if (verdict) expect(error).toBeInstanceOf(verdict)
  else expect(error).toBeUndefined()
})

test('E5: a refused or accepted call is not condemned while what it left is in progress, or could not be read', async () => {
  const left = answering('charge', { transactionId: 'id', statusInfo: { reasonCode: '4000' } }, 400)
  const lost: Exchange = {
    ...inState('x'),
    response: undefined,
    transportError: { code: 'TIMEOUT', message: '' },
  } as never
  for (const [call, later, verdict] of [
    [left, inState('PROCESSING'), Inconclusive],
    [left, lost, Inconclusive],
    [accepted('charge'), lost, Inconclusive],
    [left, inState('AUTHORIZED'), Mismatch],
  ] as const)
    expect(await judged('GRD-45', forbidden('GRD-45', 'GRD-45 charge', later, call), slow)).toBeInstanceOf(verdict)
})

test('2.2, E5: an initiate that must be refused is condemned once its payment waits for the shopper', async () => {
  const initiated = (state: string) => ({ 'VAL-11': accepted('initiate'), 'VAL-11 later': inState(state) })
  expect(await judged('VAL-11', initiated('PROCESSING'), slow)).toBeInstanceOf(Inconclusive)
  expect(await judged('VAL-11', initiated('AWAITING_SHOPPER'), slow)).toBeInstanceOf(Mismatch)
})
