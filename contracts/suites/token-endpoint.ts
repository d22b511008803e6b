import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { UNSTATED_STATUSES } from '../protocol/reason-codes.ts'
import { type SingleCallCheck, singleCallScenario } from './check-builders/single-call-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { chosenRefusal } from './evidence/refusal-by-profile-decision.ts'
import { requestToken } from './given/harmless-calls.ts'
import { withHeader, withOneCharacterChanged, withoutHeader } from './request-mutations/tamper-with-requests.ts'

const edited = (change: Record<string, string | undefined>) => (context: CheckContext) => {
  const form = { ...context.merchant.tokenForm('payments:read'), ...change }
  const kept = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return requestToken(context, {}, Object.fromEntries(kept))
}

/** How a client_id that is not the certificate's is refused, by the value of D-57. */
const REFUSED_CLIENT = { '403': { status: 403 }, '401': { status: 401 } }

// biome-ignore format: a table reads by its columns
const REFUSED: SingleCallCheck[] = [
  { id: 'TOK-10', clause: '4',      title: 'a token request in JSON is refused', ...assumed('D-16'), control: 'TOK-01', refused: { or: UNSTATED_STATUSES.type, decidedBy: 'D-16' },
    send: ({ merchant }) => merchant.request('token', { json: merchant.tokenForm('payments:read') }) },
  { id: 'TOK-11', clause: '4',      title: 'a grant_type other than client_credentials is refused', ...assumed('D-45'), control: 'TOK-01', refused: {},
    send: edited({ grant_type: 'password' }) },
  { id: 'TOK-12', clause: '4',      title: 'an unknown client_id is refused', ...assumed('D-57'), control: 'TOK-01',
    judge: (evidence, expect) => expect.refused(evidence.of('TOK-12'), { core: true, ...chosenRefusal(expect.profile, 'D-57', REFUSED_CLIENT) }),
    send: edited({ client_id: 'nobody-of-this-name' }) },
  { id: 'TOK-14', clause: '4, 5',   title: 'an unsigned token call: 401', control: 'TOK-01', refused: { status: [400, 401] },
    send: context => requestToken(context, { afterSigning: draft => withoutHeader('signature')(withoutHeader('signature-input')(draft)) }) },
  { id: 'TOK-15', clause: '4, 5.2', title: 'a token call with a broken signature: 401', control: 'TOK-01', refused: { status: 401, code: '4' },
    send: context => requestToken(context, { afterSigning: withHeader('signature', withOneCharacterChanged) }) },
  { id: 'TOK-20', clause: '4',      title: 'a token call works without Idempotency-Key', control: 'TOK-01',
    send: edited({ scope: 'payments:process payments:read' }) },
]

const lacking: CheckScenario<CheckContext, 'client' | 'grant'> = {
  name: 'a token call that lacks a field',
  tier: 1,
  play: async (context, keep) => {
    await keep('client', edited({ client_id: undefined })(context))
    await keep('grant', edited({ grant_type: undefined })(context))
  },
  checks: [
    {
      id: 'TOK-21',
      clause: '7.1',
      title: 'a token call without client_id or without grant_type: 400',
      control: 'TOK-01',
      judge: (evidence, expect) => {
        expect.refused(evidence.of('client'), { status: 400 })
        expect.refused(evidence.of('grant'), { status: 400 })
      },
    },
  ],
}

/** Scenarios with checks of token calls that are refused, and of one without Idempotency-Key (4, 7.1). */
export const tokenEndpoint = [singleCallScenario({ name: 'invalid token calls', tier: 1 }, REFUSED), lacking]
