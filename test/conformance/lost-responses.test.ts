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
const compressed: Exchange = {
  request: lost.request,
  response: { status: 200, headers: { 'content-encoding': 'gzip' }, body: Buffer.from([0x1f, 0x8b]) },
  durationMs: 1,
}

const comesTo = async (check: Check, exchange = lost): Promise<string> => {
  try {
    await check.judge({ of: () => exchange, transcript: [exchange] }, createExpect(profile, check))
    return 'pass'
  } catch (error) {
    return (error as Error).constructor.name
  }
}

test('RFC 9110 12.5.3: a compressed response is inconclusive, and named', async () => {
  const check = CHECK_SCENARIOS.flatMap((journey): readonly Check[] => journey.checks).find(({ id }) => id === 'TOK-01')
  expect(check && (await comesTo(check, compressed))).toBe('Inconclusive')
})

test('rule 5: without a response every check is inconclusive', async () => {
  const isPlayed = ({ needs = [] }: { needs?: readonly string[] }) => missingLineAdvice(profile, needs) === undefined
  const checks = CHECK_SCENARIOS.filter(isPlayed).flatMap((journey): readonly Check[] => journey.checks)
  const told = await Promise.all(checks.filter(isPlayed).map(async check => `${check.id} ${await comesTo(check)}`))
  expect(told.filter(line => !/ Inconclusive$/.test(line))).toEqual([])
})
