import { stringify } from 'yaml'
import { faultToInject } from '../provider-faults.ts'
import type { Shrunk } from '../shrink.ts'
import type { Step } from '../step.ts'
import { storyOf } from './finding-text.ts'

/** Clauses as scenarios name them. */
const CLAUSE = /^([1-9]\d*(\.\d+)*|[REI]\d+|D-\d+)$/
const LONGEST_TITLE = 120
/** Digits by which the scenario is selected: the last of all. */
const MAGIC = '9999'

/** Writes a counterexample as a scenario for the simulator: what its shopper does, and the faults of the provider. */
export const counterexampleScenario = (shrunk: Shrunk): string => {
  const { steps, play } = shrunk
  const clauses = (play.violation?.clauses ?? []).filter(clause => CLAUSE.test(clause))
  const methods = [...new Set(steps.flatMap(({ do: what, method }) => (what === 'initiate' ? [method ?? 'BLIK'] : [])))]
  const isDeclined = steps.some(({ decision }) => decision === 'decline')
  const faults = steps.flatMap(step => faultOf(step, steps))
  const scenario = {
    name: `COUNTEREXAMPLE_${(clauses[0] ?? '').replaceAll(/\W/g, '_')}`.replace(/_$/, ''),
    title: (storyOf(shrunk)[0] ?? '').slice(0, LONGEST_TITLE),
    magic: MAGIC,
    ...(clauses.length > 0 && { clauses }),
    ...(methods.length > 0 && { providers: methods }),
    ...(isDeclined && { shopper: { code: { BLIK: '3002', IRIS: 'AUTHORISINGPARTYABORTED' } } }),
    ...(faults.length > 0 && { steps: Object.fromEntries(faults) }),
  }
  return stringify({ scenarios: [scenario] })
}

/** The fault that a step meets, as a scenario has it for the operation. */
const faultOf = ({ do: what, fault, on, again, method }: Step, steps: readonly Step[]): [string, object][] => {
  if (fault === undefined) return []
  const first = steps.find(({ id }) => id === (again ?? on))
  const { kind, code, ...more } = faultToInject(fault, method ?? first?.method ?? 'BLIK')
  const operation = what === 'repeat' ? (first?.do ?? what) : what
  return [[operation, code === undefined ? { fault: { kind, ...more } } : { code }]]
}
