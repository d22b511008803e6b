import type { CallParts } from '../client/endpoint-call.ts'
import type { Exchange } from '../client/http-exchange.ts'
import type { CallOverrides } from '../client/send-signed-call.ts'
import type { CheckScenario } from '../harness/judge/check.ts'
import { type SingleCallCheck, singleCallScenario } from './check-builders/single-call-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { withMember } from './given/request-bodies.ts'
import { withoutHeader } from './request-mutations/tamper-with-requests.ts'

/** Returns the body of mock/set for a payer that no other check uses (2.7). */
const mockOf = (account: string) => ({
  processingAccountId: account,
  key: { type: 'PAYER_ID', value: 'payer-of-the-mock-checks' },
  type: 'MOCK',
  scenario: 'OK',
  oneTime: true,
})

const set =
  (alter?: CallOverrides, path?: string, value?: unknown) =>
  ({ merchant, account }: CheckContext): Promise<Exchange> => {
    const parts: CallParts = { json: path ? withMember(mockOf(account), path, value) : mockOf(account) }
    return merchant.request('mockSet', parts, alter)
  }

// biome-ignore format: a table reads by its columns
const CHECKS: SingleCallCheck[] = [
  { id: 'MCK-01', clause: '4, 5',     title: 'mock/set is served behind the three layers',   send: set() },
  { id: 'MCK-19', clause: '2.7, 7.1', title: 'a mock with another key.type: 400',            control: 'MCK-01', refused: { status: 400 }, send: set(undefined, 'key.type', 'PHONE') },
  { id: 'MCK-20', clause: '2.7, 7.1', title: 'a mock with another type: 400',                control: 'MCK-01', refused: { status: 400 }, send: set(undefined, 'type', 'REAL') },
  { id: 'MCK-21', clause: '2.7, 7.1', title: 'a mock without a key: 400',                    control: 'MCK-01', refused: { status: 400 }, send: set(undefined, 'key', undefined) },
]

const unauthenticated: CheckScenario<CheckContext, 'no token' | 'no signature'> = {
  name: 'mocks of nobody',
  tier: 3,
  play: async (context, keep) => {
    await keep('no token', set({ token: null })(context))
    await keep('no signature', set({ afterSigning: withoutHeader('signature') })(context))
  },
  checks: [
    {
      id: 'MCK-02',
      clause: '5',
      title: 'mock/set without a token (401) or without a signature is refused',
      control: 'MCK-01',
      judge: (evidence, expect) => {
        expect.refused(evidence.of('no token'), { status: 401 })
        expect.refused(evidence.of('no signature'), { status: [400, 401] })
      },
    },
  ],
}

/**
 * Scenarios with checks that mock/set is refused without a token or a signature, and with invalid members (2.7, 4, 5).
 */
export const mockSetAuthenticationAndValidation = [
  singleCallScenario({ name: 'mocks that are set', tier: 3 }, CHECKS),
  unauthenticated,
]
