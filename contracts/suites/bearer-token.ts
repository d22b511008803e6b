import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { type SingleCallCheck, singleCallScenario } from './check-builders/single-call-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { readStatus, requestToken } from './given/harmless-calls.ts'
import { uniqueReference } from './given/request-bodies.ts'
import { withHeader, withOneCharacterChanged, withoutSignature } from './request-mutations/tamper-with-requests.ts'

// biome-ignore format: a table reads by its columns
const BEARER: SingleCallCheck[] = [
  { id: 'BRR-01', clause: '7.3', title: 'no Authorization header: 401 and 4970', control: 'MTLS-01', refused: { status: 401, code: '4970' },
    send: context => readStatus(context, { token: null }) },
  { id: 'BRR-02', clause: '7.3', title: 'a nonsense bearer value: 401 and 4970', control: 'MTLS-01', refused: { status: 401, code: '4970' },
    send: context => readStatus(context, { token: 'nonsense' }) },
  { id: 'BRR-03', clause: '7.3', title: 'another scheme than Bearer: 401 and 4970', control: 'MTLS-01', refused: { status: 401, code: '4970' },
    send: context => readStatus(context, { beforeSigning: withHeader('authorization', old => old.replace('Bearer', 'Basic')) }) },
  { id: 'BRR-04', clause: '7.1', title: 'a real token with one character changed: 401', control: 'MTLS-01', refused: { status: 401 },
    send: async context => readStatus(context, { token: withOneCharacterChanged(await context.merchant.tokenFor()) }) },
  { id: 'TOK-23', clause: '5, 7.1', title: 'a token that says it is not signed: 401', control: 'MTLS-01', refused: { status: 401 },
    send: async context => readStatus(context, { token: withoutSignature(await context.merchant.tokenFor()) }) },
  { id: 'BRR-05', clause: '5',   title: 'no token and a bad body: 401, not 400', ...assumed('D-13'), control: 'MTLS-01', refused: { status: 401 },
    send: async ({ merchant }) => {
      await merchant.request('search', { json: { clientTransactionId: uniqueReference() } })
      return merchant.request('search', { bytes: Buffer.from('{') }, { token: null })
    } },
]

/** Scenario with checks of the Authorization header: missing, malformed and tampered bearer tokens (5, 7.3). */
export const bearerToken = singleCallScenario({ name: 'the bearer token', tier: 1 }, BEARER)

/** Scenario with checks that a token serves many calls, and stays valid when another is issued (5.3). */
export const tokenReuse: CheckScenario<CheckContext, 'first' | 'again' | 'other' | 'afterwards'> = {
  name: 'tokens used again',
  tier: 1,
  play: async (context, keep) => {
    const token = await context.merchant.tokenFor()
    await keep('first', readStatus(context, { token }))
    await keep('again', readStatus(context, { token }))
    await keep('other', requestToken(context, {}, context.merchant.tokenForm('payments:read payments:process')))
    await keep('afterwards', readStatus(context, { token }))
  },
  checks: [
    {
      id: 'TOK-16',
      clause: '5.3',
      title: 'one token serves many requests',
      judge: (evidence, expect) => {
        expect.served(evidence.of('first'))
        expect.served(evidence.of('again'))
      },
    },
    {
      id: 'TOK-17',
      clause: '5.3',
      title: 'a second token does not end the first',
      ...assumed('D-58'),
      control: 'TOK-16',
      judge: (evidence, expect) => {
        expect.served(evidence.of('other'))
        expect.served(evidence.of('afterwards'))
      },
    },
  ],
}
