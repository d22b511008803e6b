import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import type { Check } from '../../contracts/harness/judge/check.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { missingLineAdvice } from '../../contracts/harness/profile/response-fields-and-line-advice.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const lost: Exchange = {
  request: { method: 'GET', url: 'https://localhost/', headers: {}, endpoint: 'status' },
  transportError: { code: 'TIMEOUT', message: 'no complete response came in time' },
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

test('rule 5: without a response every check is inconclusive', async () => {
  const isPlayed = ({ needs = [] }: { needs?: readonly string[] }) => missingLineAdvice(profile, needs) === undefined
  const checks = CHECK_SCENARIOS.filter(isPlayed).flatMap((journey): readonly Check[] => journey.checks)
  const told = await Promise.all(checks.filter(isPlayed).map(async check => `${check.id} ${await comesTo(check)}`))
  expect(told.filter(line => !/ Inconclusive$/.test(line))).toEqual([])
})
