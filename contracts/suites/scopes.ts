import type { EndpointName } from '../client/endpoints.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Check, Journey } from '../harness/check.ts'
import { cancelOf, captureOf, finalizeOf, irisPayment, refundOf } from './bodies.ts'
import { authorized, consented, settled } from './given.ts'
import { NEEDS } from './stages.ts'
import type { World } from './world.ts'

type Step = 'initiate' | 'finalize' | 'capture' | 'cancel' | 'refund'

const refused = (id: string, step: Step, control: string, more: Partial<Check<Step>> = {}): Check<Step> => ({
  id,
  clause: '5.3, 7.3',
  title: `a read-only token on ${step}: 403 and 4971`,
  control,
  ...more,
  judge: (evidence, expect) =>
    expect.refused(evidence.of(step), { status: 403, code: '4971', without: 'initiate.transactionId' }),
})

/** What a token may do (5.3): each act at the moment when it would be served with the right scope. */
const readOnly: Journey<World, Step> = {
  name: 'acts with a read-only token',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const { merchant, account, profile } = world
    const act = (endpoint: EndpointName, json: unknown): Promise<Exchange> =>
      merchant.request(endpoint, { json, scope: 'payments:read' })
    await keep('initiate', act('initiate', irisPayment(account)))
    await keep('finalize', act('finalize', finalizeOf(account, await consented(profile, world, false))))
    const held = await authorized(profile, world)
    await keep('capture', act('capture', captureOf(account, held)))
    await keep('cancel', act('cancel', cancelOf(account, held)))
    await keep('refund', act('refund', refundOf(account, await settled(profile, world))))
  },
  checks: [
    refused('SCP-01', 'initiate', 'VAL-02'),
    refused('SCP-02', 'capture', 'LIF-01'),
    refused('SCP-03', 'refund', 'LIF-08'),
    refused('SCP-04', 'cancel', 'LIF-09'),
    refused('SCP-06', 'finalize', 'LIF-01', { basis: 'assumed', decisions: ['D-56'] }),
  ],
}

export const scopes = [readOnly]
