import { reportFormOf } from '../../contracts/dialect/csv-report-form.ts'
import type { Dialect } from '../../contracts/dialect/dialect.ts'
import { tellsStateAsStatus } from '../../contracts/dialect/status-as-state.ts'
import { SECOND } from '../support/duration.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import type { OperationRules } from './operation-types.ts'

/** Rules of the operations that are the same in every dialect. */
export type CommonRules = Omit<
  OperationRules,
  'choices' | 'reportForm' | 'holdFor' | 'consentFor' | 'numericIds' | 'stateInResponses' | 'sumsInStatus'
>

/**
 * Creates the function that returns the operations' rules of a dialect, which are made once: each call asks for them.
 */
export const createRulesOfDialect = (rules: CommonRules): ((dialect: Dialect) => OperationRules) => {
  const known = new WeakMap<Dialect, OperationRules>()
  return dialect => {
    const found = known.get(dialect) ?? rulesOfDialect(dialect, rules)
    known.set(dialect, found)
    return found
  }
}

/** Returns the rules of an organization that speaks this dialect: what it chooses, and what its messages tell. */
const rulesOfDialect = (dialect: Dialect, rules: CommonRules): OperationRules => {
  const { choices, lines } = dialect
  const { fields, ids, limits } = lines
  return {
    ...rules,
    choices,
    reportForm: reportFormOf(dialect),
    holdFor: limits?.holdSeconds === undefined ? LIFETIMES.hold : limits.holdSeconds * SECOND,
    consentFor: limits?.consentSeconds === undefined ? LIFETIMES.consent : limits.consentSeconds * SECOND,
    showLifecycle: rules.showLifecycle || fields?.status?.state !== undefined,
    numericIds: ids?.transactionId === 'number',
    stateInResponses: tellsStateAsStatus(lines),
    sumsInStatus: fields?.status?.captured !== undefined || fields?.status?.refunded !== undefined,
  }
}
