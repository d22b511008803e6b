import type { CallParts } from '../client/call.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Alterations } from '../client/send.ts'
import type { Journey } from '../harness/check.ts'
import { without } from './alter.ts'
import { edit } from './bodies.ts'
import { mockAnswers } from './mock-answers.ts'
import { mockMatching } from './mock-matching.ts'
import { mockSteps } from './mock-steps.ts'
import { type Probe, probing } from './probe.ts'
import type { World } from './world.ts'

/** A mock for a payer whom no other check knows (2.7). */
const mockOf = (account: string) => ({
  processingAccountId: account,
  key: { type: 'PAYER_ID', value: 'payer-of-the-mock-checks' },
  type: 'MOCK',
  scenario: 'OK',
  oneTime: true,
})

const set =
  (alter?: Alterations, path?: string, value?: unknown) =>
  ({ merchant, account }: World): Promise<Exchange> => {
    const parts: CallParts = { json: path ? edit(mockOf(account), path, value) : mockOf(account) }
    return merchant.request('mockSet', parts, alter)
  }

// biome-ignore format: a table reads by its columns
const PROBES: Probe[] = [
  { id: 'MCK-01', clause: '4, 5',     title: 'mock/set is served behind the three layers',   send: set() },
  { id: 'MCK-19', clause: '2.7, 7.1', title: 'a mock with another key.type: 400',            control: 'MCK-01', refused: { status: 400 }, send: set(undefined, 'key.type', 'PHONE') },
  { id: 'MCK-20', clause: '2.7, 7.1', title: 'a mock with another type: 400',                control: 'MCK-01', refused: { status: 400 }, send: set(undefined, 'type', 'REAL') },
  { id: 'MCK-21', clause: '2.7, 7.1', title: 'a mock without a key: 400',                    control: 'MCK-01', refused: { status: 400 }, send: set(undefined, 'key', undefined) },
]

const guarded: Journey<World, 'no token' | 'no signature'> = {
  name: 'mocks of nobody',
  tier: 3,
  play: async (world, keep) => {
    await keep('no token', set({ token: null })(world))
    await keep('no signature', set({ afterSigning: without('signature') })(world))
  },
  checks: [
    {
      id: 'MCK-02',
      clause: '5',
      title: 'mock/set without a token or without a signature: 401',
      control: 'MCK-01',
      judge: (evidence, expect) => {
        expect.refused(evidence.of('no token'), { status: 401 })
        expect.refused(evidence.of('no signature'), { status: 401 })
      },
    },
  ],
}

/** Mocks that are set, and what payments make of them (2.7, E2, E3). */
export const mocks = [
  probing({ name: 'mocks that are set', tier: 3 }, PROBES),
  guarded,
  mockMatching,
  mockSteps,
  mockAnswers,
]
