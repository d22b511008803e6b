import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/exchange.ts'
import type { Check } from '../../contracts/harness/check.ts'
import { createExpect } from '../../contracts/harness/expect.ts'
import { readProfile } from '../../contracts/harness/profile.ts'
import { firstOpen } from '../../contracts/harness/slots.ts'
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
  const isPlayed = ({ needs = [] }: { needs?: readonly string[] }) => firstOpen(profile, needs) === undefined
  const checks = JOURNEYS.filter(isPlayed).flatMap((journey): readonly Check[] => journey.checks)
  const judging = checks.filter(check => !check.observes && isPlayed(check))
  const told = await Promise.all(judging.map(async check => `${check.id} ${await comesTo(check)}`))
  expect(told.filter(line => !/ Inconclusive$/.test(line))).toEqual([])
})
