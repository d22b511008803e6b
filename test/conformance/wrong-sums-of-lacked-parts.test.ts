import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { Mismatch } from '../../contracts/harness/judge/verdict-errors.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { judgeBySteps, type Steps } from './judge-by-steps.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const simulator = readProfile(SIMULATOR_PROFILE)
const decisions = { ...simulator.decisions, 'D-40': '422', 'D-41': '422' } as const
const offering: Profile = { ...simulator, decisions }
const lacking: Profile = {
  ...offering,
  capabilities: { ...offering.capabilities, partialCaptures: false, partialRefunds: false },
}

const answered = (act: string, status: number, body: object): Exchange => ({
  request: { method: 'POST', url: 'https://localhost/', headers: {}, endpoint: act as 'capture' },
  response: { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 1,
})

const refusal = { status: 'DECLINED', statusInfo: { reasonCode: '8003', message: 'No parts.' }, callId: 'c' }
const lacked = (act: string) => answered(act, 501, refusal)
const taken = (act: string) => answered(act, 200, { status: 'APPROVED' })

/** Steps of a grid row in which the wrong sums of both acts are 501; `parts`: what a lawful part was answered with. */
const ofRow = (id: string, parts?: (act: string) => Exchange): Steps =>
  Object.fromEntries(
    ['capture', 'refund'].flatMap(act => [
      [`${id} ${act}`, lacked(act)],
      [`${act} the rest`, taken(act)],
      ...(parts ? [[`${act} a part`, parts(act)]] : []),
    ]),
  )
const ROWS = ['GRD-30', 'GRD-31', 'GRD-32', 'GRD-88']

test.each(ROWS)('1, 7.1: %s permits 501 before the sum is looked at, where no part is offered', async id => {
  expect(await judgeBySteps(id, ofRow(id), lacking)).toBeUndefined()
  expect(await judgeBySteps(id, ofRow(id, lacked), offering)).toBeUndefined()
})

test.each(['GRD-32', 'GRD-88'])('4, R5: %s permits no 501 for a wrong sum where parts are taken', async id => {
  expect(await judgeBySteps(id, ofRow(id, taken), offering)).toBeInstanceOf(Mismatch)
})

test('R5: 501 for a refund above the whole is lawful where no part is refunded, and only there', async () => {
  const steps = (part: Exchange): Steps => ({ 'refund too much': lacked('refund'), 'refund part': part })
  expect(await judgeBySteps('LIF-15', steps(lacked('refund')), offering)).toBeUndefined()
  expect(await judgeBySteps('LIF-15', steps(taken('refund')), lacking)).toBeUndefined()
  expect(await judgeBySteps('LIF-15', steps(taken('refund')), offering)).toBeInstanceOf(Mismatch)
})
