import type { CheckScenario } from '../harness/judge/check.ts'
import { PROVIDER_CODES } from '../protocol/provider-codes.ts'
import type { CheckContext } from './context/check-context.ts'
import { preparePayment } from './given/payments.ts'

const CODES = PROVIDER_CODES.map((row, index) => ({ ...row, id: `MAP-${String(index + 1).padStart(2, '0')}` }))

/** Checks that each provider decline at initiate has its reasonCode, in a success or in a refusal (7.5, S44). */
export const providerCodeMapping: CheckScenario<CheckContext> = {
  name: 'what providers say when a payment begins',
  tier: 3,
  needs: ['faults', 'fields.initiate.reasonCode'],
  play: async (context, keep, chosen) => {
    const { merchant, control } = context
    for (const { id, provider, code } of CODES) {
      if (!chosen.has(id)) continue
      const json = await preparePayment(context, { method: provider })
      await control.arm({ operation: 'initiate', kind: 'decline', code })
      await keep(id, merchant.request('initiate', { json }))
    }
  },
  checks: CODES.map(({ id, provider, code, reasonCode }) => ({
    id,
    clause: '7.5',
    title: `the code ${code} of ${provider} comes as ${reasonCode}`,
    control: provider === 'BLIK' ? 'VAL-01' : 'VAL-02',
    judge: (evidence, expect) => {
      expect.code(evidence.of(id), 'initiate.reasonCode', reasonCode)
    },
  })),
}
