import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { Mismatch } from '../../contracts/harness/judge/verdict-errors.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { createCheckRegistry } from '../../contracts/harness/run/check-registry.ts'
import type { OperationName } from '../../contracts/operations.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const profile = readProfile(SIMULATOR_PROFILE)
const registry = createCheckRegistry(CHECK_SCENARIOS)

const answering = (endpoint: OperationName, body: unknown): Exchange => ({
  request: { method: 'POST', url: 'https://localhost/', headers: {}, endpoint },
  response: { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) },
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
