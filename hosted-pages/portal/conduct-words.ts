import type { Say } from '../texts.ts'
import type { DrillView } from './conduct-port.ts'
import type { Translated } from './lab/translated.ts'
import { CHECKOUT_RULE_WORDS } from './texts/checkout-rules.ts'
import { CONDUCT_RULE_WORDS } from './texts/conduct-rules.ts'
import { DRILL_WORDS } from './texts/drills.ts'

const RULES = { ...CONDUCT_RULE_WORDS, ...CHECKOUT_RULE_WORDS }

/** What a rule says and why, in the language of the page; the view brings the English. */
export const ruleIn = (say: Say, rule: { id: string; title: string; why: string }) => ({
  title: spoken(say, rule.title, RULES[rule.id]?.title),
  why: spoken(say, rule.why, RULES[rule.id]?.why),
})

/** What happens in a drill, and what the shopper does. */
export const drillIn = (say: Say, drill: Pick<DrillView, 'name' | 'title' | 'ask'>) => ({
  title: spoken(say, drill.title, DRILL_WORDS[drill.name]?.title),
  ask: spoken(say, drill.ask, DRILL_WORDS[drill.name]?.ask),
})

const spoken = ({ language }: Say, english: string, others: Translated | undefined): string =>
  language === 'en' ? english : (others?.[language] ?? english)
