import { expect, test } from 'vitest'
import { CHECKOUT_RULES } from '../../contracts/conduct/checkout.ts'
import { CONDUCT_RULES } from '../../contracts/conduct/judge.ts'
import { drillIn, ruleIn } from '../../hosted-pages/portal/conduct-words.ts'
import { CHECKOUT_RULE_WORDS } from '../../hosted-pages/portal/texts/checkout-rules.ts'
import { CONDUCT_RULE_WORDS } from '../../hosted-pages/portal/texts/conduct-rules.ts'
import { DRILL_WORDS } from '../../hosted-pages/portal/texts/drills.ts'
import { speak } from '../../hosted-pages/texts.ts'
import { builtInDrills } from '../../simulator/scenarios/drills.ts'

const ids = (rules: readonly { id: string }[]) => rules.map(({ id }) => id).sort()

test('every rule, every drill and every finding on a checkout is there in Polish and Greek, and no other', () => {
  expect(Object.keys(CONDUCT_RULE_WORDS).sort()).toEqual(ids(CONDUCT_RULES))
  expect(Object.keys(CHECKOUT_RULE_WORDS).sort()).toEqual(ids(CHECKOUT_RULES))
  expect(Object.keys(DRILL_WORDS).sort()).toEqual(
    builtInDrills()
      .map(({ name }) => name)
      .sort(),
  )
})

test('each language says something of its own, and English what the data say', () => {
  for (const say of (['pl', 'el'] as const).map(speak)) {
    for (const rule of [...CONDUCT_RULES, ...CHECKOUT_RULES]) {
      const { title, why } = ruleIn(say, rule)
      expect([rule.id, title === rule.title, why === rule.why]).toEqual([rule.id, false, false])
    }
    for (const drill of builtInDrills()) {
      const { title, ask } = drillIn(say, drill)
      expect([drill.name, title === drill.title, ask === drill.ask]).toEqual([drill.name, false, false])
    }
  }
  for (const rule of CONDUCT_RULES) expect(ruleIn(speak('en'), rule)).toEqual({ title: rule.title, why: rule.why })
})
