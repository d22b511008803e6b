import { isServed } from '../../client/http-exchange.ts'
import type { Check } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import type { ProviderOperation } from '../../operations.ts'
import { gridRowCheck } from '../check-builders/grid-row-check.ts'
import { expectReplay, LATER_OF_TWO } from '../evidence/expect-replay.ts'
import { GRID_CONTROL, lackedOperation, NO_KEY } from './cell-judgments.ts'

/** Id of the check that judges the grid row of operation × race: two calls at the same instant. */
export const RACE = 'GRD-51'

const RACED = ['finalize', 'charge', 'capture', 'cancel', 'refund'] as const satisfies readonly ProviderOperation[]

/** Whether the race row of the grid covers an operation: its first call is then sent twice at once. */
export const isRaced = (operation: ProviderOperation): boolean => RACED.some(name => name === operation)

/** Expects the other of two calls to have the same result, or none; any other refusal shows that it was processed. */
const judgeRace = (evidence: Evidence<string>, expect: Expect, column: ProviderOperation): void => {
  const [one, other] = [evidence.of(column), evidence.of(`${RACE} ${column}`)]
  expect.response(one)
  if (!isServed(one)) throw new Blocked('both calls were refused', one)
  const { status } = expect.response(other, LATER_OF_TWO)
  if (isServed(other)) expectReplay(other, one, expect)
  else expect.holds(LATER_OF_TWO.includes(status), 'the same response, 409 or 423', expect.describeAny(other), other)
}

/** Grid row check of operation × race: a call sent twice at the same instant (I3); IDM-28 judges initiate. */
export const RACE_ROW: Check = gridRowCheck({
  ...GRID_CONTROL,
  id: RACE,
  clause: 'I3',
  title: 'of two identical calls at the same instant one is processed',
  otherColumns: NO_KEY,
  exemptCell: lackedOperation,
  cells: [
    { column: 'initiate', empty: 'IDM-28 judges this cell' },
    ...RACED.map(column => ({
      column,
      clause: 'I3',
      judge: (evidence: Evidence<string>, expect: Expect) => judgeRace(evidence, expect, column),
    })),
  ],
})
