import { randomUUID } from 'node:crypto'
import { isServed } from '../client/http-exchange.ts'
import { choiceOf } from '../dialect/decision-choices.ts'
import { assumed } from '../harness/judge/check.ts'
import { EmptyCell } from '../harness/judge/judge-grid-cells.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import { offersMethod } from '../harness/profile/capabilities-that-checks-need.ts'
import { isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import { armProviderCode } from './drivers/arm-provider-code.ts'
import { expectOutcomeResponses, findOutcomeCode } from './evidence/outcome-reason-code.ts'
import { irisPayment } from './given/request-bodies.ts'

/** A code of IRIS of a temporary decline, and the reasonCode to which it is mapped (7.5). */
const MAINTENANCE = { code: 'DMSP1010', reasonCode: '8004' }

/** Scenario with the check that a temporary decline is carried out anew under its key (7.4.2, D-117). */
export const declinesThatMayPass = isolatedScenario(
  {
    name: 'a temporary decline, and its retry',
    tier: 3,
    needs: ['provider.codes', 'fields.initiate.reasonCode', 'fields.initiate.transactionId'],
  },
  [
    {
      id: 'IDM-42',
      clause: '7.4.2',
      title: 'after a temporary decline the same key is carried out anew',
      ...assumed('D-117'),
      control: 'VAL-02',
      exempt: profile => (offersMethod(profile, 'IRIS') ? undefined : 'no other method has such a code (7.5)'),
      play: async (context, keep) => {
        const { merchant, profile } = context
        const json = irisPayment(context)
        await armProviderCode(context, profile, json, MAINTENANCE.code)
        const call = { json, idempotencyKey: randomUUID() }
        await keep('declined', merchant.request('initiate', call))
        await keep('again', merchant.request('initiate', call))
      },
      judge: (evidence, expect) => {
        const { profile } = expect
        const [declined, again] = [evidence.of('declined'), evidence.of('again')]
        expectOutcomeResponses([declined, again], expect)
        if (findOutcomeCode(profile, declined) !== MAINTENANCE.reasonCode)
          throw new Blocked(`no decline with ${MAINTENANCE.reasonCode} is in the response to initiate`, declined)
        if (!isServed(declined)) throw new EmptyCell('a refusal is no result to replay')
        const [first, second] = [declined, again].map(exchange => expect.field(exchange, 'initiate.transactionId'))
        const isReplayed = String(first) === String(second)
        if (choiceOf(profile, 'D-117') === 'replayed')
          expect.holds(isReplayed, 'the same payment, as declines are replayed', String(second), again)
        else expect.holds(!isReplayed, 'another payment, as the call is carried out anew', 'the stored decline', again)
      },
    },
  ],
)
