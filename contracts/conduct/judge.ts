import { ACCESS } from './access.ts'
import { PAYMENTS } from './payments.ts'
import { RETRIES } from './retries.ts'
import type { Conduct, ConductRule } from './rule.ts'
import type { Traffic } from './traffic.ts'
import { WEBHOOKS } from './webhooks.ts'

/** Every rule of conduct, in the order of their ids. */
export const CONDUCT_RULES: readonly ConductRule[] = [...RETRIES, ...ACCESS, ...WEBHOOKS, ...PAYMENTS].sort((a, b) =>
  a.id.localeCompare(b.id),
)

/** Judges what a merchant did. Without an occasion there is no verdict: nothing passes that was not seen. */
export const judgeConduct = (traffic: Traffic, rules: readonly ConductRule[] = CONDUCT_RULES): readonly Conduct[] =>
  rules.map(({ judge, ...rule }) => {
    const finding = judge(traffic)
    const verdict = finding.breaches.length > 0 ? 'fail' : finding.occasions > 0 ? 'pass' : 'not exercised'
    return { ...rule, ...finding, verdict }
  })
