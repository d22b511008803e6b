import type { Say } from '../texts.ts'
import type { DrillView } from './conduct-port.ts'
import type { Translated } from './lab/translated.ts'
import { BREACH_PARTS, BREACHES } from './texts/breaches.ts'
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

/** What broke a rule, in the language of the page; nothing where the sentence is not known. */
export const breachIn = ({ language }: Say, said: string): string | undefined => {
  if (language === 'en') return said
  for (const { sentence, shape } of SHAPES) {
    const values = shape.exec(said)?.groups
    if (values) return sentence[language].replace(SLOT, (slot, name: string) => partIn(language, values[name] ?? slot))
  }
  return undefined
}

const SLOT = /\{(\w+)\}/g

/** The English of each sentence as what it looks like with its slots filled in. */
const SHAPES = BREACHES.map(sentence => {
  const plain = sentence.en.replace(/[.:;]/g, '\\$&')
  return { sentence, shape: new RegExp(`^${plain.replace(SLOT, '(?<$1>.+?)')}$`) }
})

const partIn = (language: keyof Translated, value: string): string =>
  Object.entries(BREACH_PARTS).reduce((text, [english, others]) => text.replaceAll(english, others[language]), value)

const spoken = ({ language }: Say, english: string, others: Translated | undefined): string =>
  language === 'en' ? english : (others?.[language] ?? english)
