import { PROVIDERS } from '../../contracts/protocol/providers-and-capabilities.ts'
import type { Scenario } from './scenario.ts'
import type { ScenarioCatalogue } from './scenario-catalogue.ts'

/** Magic values select a scenario by its four digits: the BLIK code 99nnnn, or the amount 999nnnn in minor units. */
const CODE = /^99(\d{4})$/
const AMOUNT = /^999(\d{4})$/

/** Result of reading a magic value: a scenario, or why no scenario has that value; undefined for an ordinary value. */
export type MagicValue = { scenario: Scenario } | { unknown: string } | undefined

/** Finds the scenario that a magic BLIK code selects; undefined for an ordinary code. */
export const readMagicCode = (code: string | undefined, catalogue: ScenarioCatalogue): MagicValue =>
  readMagic(CODE.exec(code ?? ''), 'BLIK codes 990000 to 999999', catalogue)

/** Finds the scenario that a magic amount selects; undefined for an ordinary amount. */
export const readMagicAmount = (amount: number | undefined, catalogue: ScenarioCatalogue): MagicValue =>
  readMagic(AMOUNT.exec(String(amount ?? '')), 'amounts 9990000 to 9999999', catalogue)

const readMagic = (found: RegExpExecArray | null, range: string, catalogue: ScenarioCatalogue): MagicValue => {
  if (!found || catalogue.all.length === 0) return undefined
  const [value, digits = ''] = found
  const scenario = catalogue.byMagic(digits)
  const cure = 'GET /control/scenarios lists all scenarios'
  return scenario
    ? { scenario }
    : {
        unknown: `${value} selects no scenario, as none has the number ${digits}: ${range} are for that, and ${cure}.`,
      }
}

/** Returns the magic amount and BLIK code that select a scenario; undefined if it has no magic number. */
export const toMagicValues = ({ magic, providers }: Pick<Scenario, 'magic' | 'providers'>) =>
  magic === undefined
    ? undefined
    : {
        ...(providers.some(id => PROVIDERS[id].oneTimeCodes) ? { blikCode: `99${magic}` } : {}),
        amount: Number(`999${magic}`),
      }
