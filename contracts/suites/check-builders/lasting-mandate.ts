import type { Exchange } from '../../client/http-exchange.ts'
import { assumed, type Check } from '../../harness/judge/check.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { expectPremise } from '../evidence/expect-premise.ts'

type Lasting = {
  id: string
  /** What may not end a mandate: `the payment that made it was refunded`. */
  after: string
  needs?: readonly string[]
  /** Steps that were served before the charge. */
  premises: readonly string[]
  /** Step of the charge. */
  charge: string
  find?(evidence: Evidence<string>, step: string): Exchange
}

/** Creates the check that a mandate has not ended by itself: the document names nothing that ends one (1, D-62). */
export const lastingMandate = ({ id, after, needs = [], premises, charge, find }: Lasting): Check => ({
  id,
  clause: '1',
  title: `the payer of a mandate can be charged after ${after}`,
  ...assumed('D-62'),
  control: 'VAL-38',
  needs: ['blik.approve', ...needs],
  judge: (evidence, expect) => {
    const of = (step: string) => find?.(evidence, step) ?? evidence.of(step)
    for (const step of premises) expectPremise(of(step), step, expect)
    expect.served(of(charge))
  },
})
