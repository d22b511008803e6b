import type { ConductRule, JudgedConductRule } from './conduct-rule.ts'
import type { MerchantTraffic } from './merchant-traffic.ts'
import { PAYMENT_RULES } from './payment-rules.ts'
import { RETRY_RULES } from './retry-rules.ts'
import { TOKEN_POLLING_AND_SIGNATURE_RULES } from './token-polling-and-signature-rules.ts'
import { WEBHOOK_RULES } from './webhook-rules.ts'

/** Every conduct rule, ordered by id. */
export const CONDUCT_RULES: readonly ConductRule[] = [
  ...RETRY_RULES,
  ...TOKEN_POLLING_AND_SIGNATURE_RULES,
  ...WEBHOOK_RULES,
  ...PAYMENT_RULES,
].sort((a, b) => (a.id < b.id ? -1 : 1))

/** Judges the traffic of a merchant by the conduct rules; a rule without an occasion is `not exercised`. */
export const judgeConduct = (
  traffic: MerchantTraffic,
  rules: readonly ConductRule[] = CONDUCT_RULES,
): readonly JudgedConductRule[] =>
  rules.map(({ judge, ...rule }) => {
    const finding = judge(traffic)
    const verdict = finding.breaches.length > 0 ? 'fail' : finding.occasions > 0 ? 'pass' : 'not exercised'
    return { ...rule, ...finding, verdict }
  })
