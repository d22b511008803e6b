import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { rulesOfProfile } from '../../contracts/explore/model-rules-of-profile.ts'
import { createStage } from '../../contracts/explore/organizations-and-values-of-play.ts'
import { playPatiently } from '../../contracts/explore/play-and-confirm-sequence.ts'
import type { Step } from '../../contracts/explore/step.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import type { TestOrganization } from '../../contracts/suites/context/test-organization.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'

const EFFECTS: Readonly<Record<string, { from: string; to: string }>> = {
  finalize: { from: 'AUTHENTICATED', to: 'AUTHORIZED' },
  capture: { from: 'AUTHORIZED', to: 'CAPTURED' },
}

/** A service with one payment that carries out what it has accepted so many seconds later, on a clock that pauses move. */
const createLateService = (seconds: number) => {
  const startedAt = Date.now()
  let now = startedAt
  let state = 'AWAITING_SHOPPER'
  let coming: { at: number; state: string } | undefined
  let reads = 0
  const answer = (operation: string): { status: number; body: object } => {
    if (coming && now >= coming.at) state = coming.state
    if (operation === 'initiate') return { status: 201, body: { transactionId: 't', status: 'PENDING' } }
    if (operation === 'status') {
      reads += 1
      return { status: 200, body: { lifecycle: { state } } }
    }
    const effect = EFFECTS[operation]
    if (effect?.from !== state) return { status: 422, body: { statusInfo: { reasonCode: '5201' } } }
    coming = { at: now + seconds * 1000, state: effect.to }
    return { status: 202, body: { status: 'PENDING' } }
  }
  const request = async (operation: string): Promise<Exchange> => {
    const { status, body } = answer(operation)
    return {
      request: { method: 'POST', url: '', headers: {}, endpoint: operation as 'status' },
      response: { status, headers: {}, body: Buffer.from(JSON.stringify(body)) },
      durationMs: 0,
    }
  }
  const organization = {
    account: 'a',
    merchant: { credentials: { processingAccountIds: ['a'] }, request },
    shopper: {
      prepare: async (json: object) => json,
      act: async () => {
        state = 'AUTHENTICATED'
      },
    },
    clock: {
      now: () => now,
      pause: async (ms: number) => {
        now += ms
      },
    },
  } as unknown as TestOrganization
  return { organization, passedSeconds: () => (now - startedAt) / 1000, reads: () => reads }
}

const steps: Step[] = [
  { id: 's1', do: 'initiate', method: 'BLIK', autoCapture: false },
  { id: 's2', do: 'shopper', on: 's1', decision: 'approve' },
  { id: 's3', do: 'finalize', on: 's1' },
  { id: 's4', do: 'capture', on: 's1' },
]

const play = async (seconds: number, lines: Partial<Profile> = {}) => {
  const { control: _, ...simulator } = readProfile(SIMULATOR_PROFILE)
  const profile: Profile = { ...simulator, patience: 'PT15S', ...lines }
  const service = createLateService(seconds)
  const stage = createStage(profile, { first: service.organization, second: service.organization })
  const { violation } = await playPatiently(stage, steps, rulesOfProfile(profile))
  return { violation, passed: service.passedSeconds(), reads: service.reads() }
}

test('1, E5: an effect within the patience is no violation of a sequence that is played patiently', async () => {
  for (const seconds of [2, 5, 14]) expect((await play(seconds)).violation).toBeUndefined()
  expect((await play(5, { patience: 'PT2S' })).violation?.step.do).toBe('capture')
  expect((await play(20)).violation?.step.do).toBe('capture')
})

test('a patient play goes on once the effect shows, and reads as often as the profile says', async () => {
  const { passed, reads } = await play(5, { patience: 'PT1M', limits: { pollSeconds: 1 } })
  expect(passed).toBeLessThan(20)
  expect(reads).toBeLessThan(15)
})

test('a patient play waits out the patience where the status does not tell the effect', async () => {
  const { states } = readProfile(SIMULATOR_PROFILE)
  const coarse = { states: { ...states, authorized: ['AUTHORIZED', 'CAPTURED'], captured: ['AUTHORIZED', 'CAPTURED'] } }
  expect((await play(5, coarse)).passed).toBeGreaterThanOrEqual(3 + 5 + 15)
})
