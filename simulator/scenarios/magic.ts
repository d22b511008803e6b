import type { Catalogue } from './catalogue.ts'
import type { Scenario } from './scenario.ts'

/** Four digits ask for a scenario: as the BLIK code 99nnnn, or as the amount 999nnnn in minor units. */
const CODE = /^99(\d{4})$/
const AMOUNT = /^999(\d{4})$/

/** What a value asks for: a scenario, or a sentence that explains why none; undefined where it is an ordinary value, as all are without scenarios. */
export type Magic = { scenario: Scenario } | { unknown: string } | undefined

export const magicCode = (code: string | undefined, catalogue: Catalogue): Magic =>
  ask(CODE.exec(code ?? ''), 'BLIK codes 990000 to 999999', catalogue)

export const magicAmount = (amount: number | undefined, catalogue: Catalogue): Magic =>
  ask(AMOUNT.exec(String(amount ?? '')), 'amounts 9990000 to 9999999', catalogue)

const ask = (found: RegExpExecArray | null, range: string, catalogue: Catalogue): Magic => {
  if (!found || catalogue.all.length === 0) return undefined
  const [value, digits = ''] = found
  const scenario = catalogue.byMagic(digits)
  const cure = 'GET /control/scenarios lists those that there are'
  return scenario
    ? { scenario }
    : { unknown: `${value} asks for a scenario, and none has the number ${digits}: ${range} are reserved, ${cure}.` }
}

/** The values that ask for a scenario; undefined where it has no number. */
export const magicValues = ({ magic }: Pick<Scenario, 'magic'>) =>
  magic === undefined ? undefined : { blikCode: `99${magic}`, amount: Number(`999${magic}`) }
