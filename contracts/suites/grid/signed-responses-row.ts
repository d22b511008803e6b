import { isServed } from '../../client/http-exchange.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import { readKeySets } from '../evidence/key-set-before-and-after.ts'
import { expectVerified } from '../response-signatures-and-key-set.ts'
import { lackedOperation } from './cell-judgments.ts'
import { refusedCorrectCall } from './refused-correct-call.ts'
import { SIGNED_CALLS, type SignedCall } from './signed-operation-columns.ts'

/** Id of the grid row of operation × signature of its response. */
export const SIGNED_RESPONSES = 'GRD-39'

/** The correct call of a column was served, and its response verifies; a refusal is judged by RSP-06. */
const signedCell = ({ column, letIn }: SignedCall): Cell => {
  if (column === 'status') return { column, empty: 'RSP-02 judges this cell' }
  return {
    column,
    clause: '5.4',
    judge: async (evidence, expect) => {
      const exchange = evidence.of(column)
      const { status } = expect.response(exchange)
      if (letIn?.includes(status)) throw new EmptyCell('RSP-06 judges refusals')
      if (!isServed(exchange)) throw refusedCorrectCall('the correct call was refused', exchange, expect.profile)
      await expectVerified(exchange, readKeySets(evidence), expect)
    },
  }
}

/** Grid row of operation × signature of its response (5.4). */
export const SIGNED_RESPONSES_ROW = gridRowCheck({
  id: SIGNED_RESPONSES,
  clause: '5.4',
  title: 'the response of every operation is signed and verifies',
  control: 'RSP-01',
  exemptCell: lackedOperation,
  cells: SIGNED_CALLS.map(signedCell),
})
