import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { Mismatch } from '../../contracts/harness/judge/verdict-errors.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import type { CheckContext } from '../../contracts/suites/context/check-context.ts'
import { webhooks } from '../../contracts/suites/webhooks.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const profile = { ...readProfile(SIMULATOR_PROFILE), control: { url: 'https://localhost/' } }
const [pushed] = webhooks

const answering = (body: unknown): Exchange => ({
  request: { method: 'GET', url: 'https://localhost/', headers: {} },
  response: { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 1,
})

/** Plays EVT-02 against a service whose webhook tells a status, and whose events show these before it and after it. */
const play = async (told: string, before: string, after: string) => {
  let [now, shown] = [0, before]
  const kept: Record<string, Exchange> = {}
  const context = {
    profile,
    account: 'account',
    shopper: { methodFor: () => 'BLIK', prepare: async (body: unknown) => body, act: async () => undefined },
    merchant: {
      request: async (endpoint: string) =>
        answering(endpoint === 'events' ? { status: shown } : { transactionId: 'id' }),
    },
    control: {
      notification: async () => {
        shown = after
        return answering({ id: '1', body: JSON.stringify({ status: told }), headers: {}, target: '/' })
      },
    },
    clock: {
      now: () => now,
      pause: async (ms: number) => {
        now += ms
      },
    },
  } as unknown as CheckContext
  const keep = async (step: string, exchange: Promise<Exchange>) => {
    const made = await exchange
    kept[step] = made
    return made
  }
  await pushed.play(context, keep, new Set())
  const check = pushed.checks.find(({ id }) => id === 'EVT-02')
  await check?.judge(
    { transcript: [], of: step => kept[step] ?? answering({}) },
    createExpect(profile, { id: 'EVT-02' }),
  )
}

test('6: events that are there when the webhook has come tell the same, though they were not before', async () => {
  await expect(play('CAPTURED', 'AUTHENTICATED', 'CAPTURED')).resolves.toBeUndefined()
})

test('6, R4: events that told the same are enough, though the payment has settled since', async () => {
  await expect(play('CAPTURED', 'CAPTURED', 'SETTLED')).resolves.toBeUndefined()
})

test('6, R4: events that tell the settlement of what was pushed as captured are enough', async () => {
  await expect(play('CAPTURED', 'AUTHORIZED', 'SETTLED')).resolves.toBeUndefined()
})

test('6: events that never tell what was pushed are a failure', async () => {
  await expect(play('DECLINED', 'AUTHENTICATED', 'CAPTURED')).rejects.toThrow(Mismatch)
})
