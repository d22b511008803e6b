import { type Exchange, isServed } from '../client/http-exchange.ts'
import type { CheckScenario } from '../harness/judge/check.ts'
import { Inconclusive } from '../harness/judge/verdict-errors.ts'
import type { CheckContext } from './context/check-context.ts'
import { withEarlierKeys } from './evidence/key-set-before-and-after.ts'
import { readKeySet } from './given/harmless-calls.ts'
import { expectVerified } from './response-signatures-and-key-set.ts'

/** Endpoints whose responses may be unsigned: the key set, and tokens, of which RSP-07 and GRD-39 judge one each. */
const UNSIGNED = ['keySet', 'token']

const isMeant = (exchange: Exchange): boolean =>
  isServed(exchange) && exchange.request.endpoint !== undefined && !UNSIGNED.includes(exchange.request.endpoint)

/** Scenario with the check that every success of the run is signed, whoever asked and however often (5.4). */
export const signaturesOfAllResponses: CheckScenario<CheckContext, 'keys'> = {
  name: 'signatures of every response',
  tier: 1,
  play: (context, keep) => keep('keys', readKeySet(context)),
  checks: [
    {
      id: 'RSP-12',
      clause: '5.4',
      title: 'every success of the run is signed and verifies',
      control: 'RSP-02',
      judge: async (evidence, expect) => {
        const earlier = evidence.transcript.filter(it => it.request.endpoint === 'keySet')
        const keys = withEarlierKeys(evidence.of('keys'), earlier)
        const meant = evidence.transcript.filter(isMeant)
        if (meant.length === 0) throw new Inconclusive('the run has seen no success')
        for (const exchange of meant) await expectVerified(exchange, keys, expect)
      },
    },
  ],
}
