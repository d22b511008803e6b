import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/exchange.ts'
import type { Check } from '../../contracts/harness/check.ts'
import { createExpect } from '../../contracts/harness/expect.ts'
import { readProfile } from '../../contracts/harness/profile.ts'
import { registryOf } from '../../contracts/harness/registry.ts'
import { JOURNEYS } from '../../contracts/suites/all.ts'
import { SIMULATOR_PROFILE } from './certify.ts'

const lost: Exchange = {
  request: { method: 'GET', url: 'https://localhost/', headers: {}, endpoint: 'status' },
  fault: { code: 'TIMEOUT', message: 'no complete answer came in time' },
  durationMs: 1,
}

const profile = readProfile(SIMULATOR_PROFILE)
const evidence = { of: () => lost, transcript: [lost] }

const comesTo = async (check: Check): Promise<string> => {
  try {
    await check.judge(evidence, createExpect(profile, check))
    return 'pass'
  } catch (error) {
    return (error as Error).constructor.name
  }
}

test('rule 5: where no answer comes at all, no check condemns or praises anybody', async () => {
  const judging = [...registryOf(JOURNEYS).values()].filter(({ observes }) => !observes)
  const told = await Promise.all(judging.map(async check => `${check.id} ${await comesTo(check)}`))
  expect(told.filter(line => !/ (Inconclusive|Open|Blocked)$/.test(line))).toEqual([])
})
