import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { Check } from '../../harness/judge/check.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { ACTS } from '../../operations.ts'
import { gridRowCheck } from '../check-builders/grid-row-check.ts'
import { findStep } from '../evidence/expect-refused-or-declined.ts'
import { ensureStage, expectUnmoved, GRID_CONTROL, lackedOperation } from './cell-judgments.ts'
import { STATES, stagesOf } from './states-and-their-acts.ts'

/** Id of the check that what a state forbids is refused and not carried out. */
export const UNMOVED = 'GRD-58'

/** Names of the steps that show how the payment of a row stands before all acts that its state forbids, and after them. */
export const STANDS = { first: 'at first', last: 'at last' } as const

/** Whether a response leaves open if the call was carried out (7.4.3, 7.4.4). */
const isUnclear = ({ response }: Exchange): boolean => !response || response.status >= 500

const ensureClear = (evidence: Evidence<string>, id: string): void => {
  const tried = ACTS.map(act => findStep(evidence, `${id} ${act}`)).filter(exchange => exchange !== undefined)
  if (!tried.some(exchange => !isServed(exchange))) throw new EmptyCell('nothing was refused here')
  if (tried.some(isUnclear)) throw new EmptyCell('a response leaves open whether its call was carried out')
}

/** Grid row of state × standing: what a state forbids is refused, and leaves state and sums as they were (3, R1, R2, R5). */
export const UNMOVED_ROW: Check = gridRowCheck({
  ...GRID_CONTROL,
  id: UNMOVED,
  clause: '3, R1, R2, R5',
  title: 'what a state forbids is refused and not carried out',
  otherColumns: 'the row is about payments in each state',
  cells: STATES.map(row => ({
    column: `${row.stages[0]} payment`,
    clause: row.clause,
    judge: (evidence, expect) => {
      const { id, byHand } = row
      const lacked = byHand && lackedOperation(expect.profile, 'capture')
      if (lacked) throw new EmptyCell(lacked)
      ensureStage(evidence, expect, `${id} before`, stagesOf(row, expect.profile))
      ensureClear(evidence, id)
      expectUnmoved(evidence, expect, `${id} ${STANDS.first}`, `${id} ${STANDS.last}`)
    },
  })),
})
