import type { Check } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { EmptyCell, judgeCells } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { untestableEndpointReason } from '../../harness/judge/untestable-endpoint-reason.ts'
import type { Profile } from '../../harness/profile/profile.ts'

/**
 * One cell of a row in a grid of checks: the clause that it rests on and its judgment, or the reason why it is empty.
 */
export type Cell =
  | { column: string; clause: string; judge(evidence: Evidence<string>, expect: Expect): void | Promise<void> }
  | { column: string; empty: string }

/** Members of a row: those of a check without its judgment, and whether a cell applies to a deployment. */
type GridRow = Omit<Check, 'judge' | 'clause'> & {
  clause: string
  cells: readonly Cell[]
  /** Reason why the cell of a column does not apply to this deployment; undefined where it applies. */
  exemptCell?(profile: Profile, column: string): string | undefined
}

/** Creates the check of one row of a grid: it judges every cell, and its verdict is that of the worst one. */
export const gridRowCheck = ({ cells, exemptCell, ...row }: GridRow): Check => ({
  ...row,
  judge: async (evidence, expect) => {
    const { profile } = expect
    const judges = cells.map(cell => ({
      column: cell.column,
      ...('clause' in cell ? { clause: cell.clause } : {}),
      judge: async () => {
        const empty = 'empty' in cell ? cell.empty : exemptCell?.(profile, cell.column)
        if (empty !== undefined) throw new EmptyCell(empty)
        if ('judge' in cell) await cell.judge(evidence, expect)
      },
    }))
    return {
      cells: await judgeCells(
        judges,
        exchange => untestableEndpointReason(profile, exchange, evidence.transcript)?.reason,
      ),
    }
  },
})
