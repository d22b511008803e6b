import { randomUUID } from 'node:crypto'
import type { CallParts } from '../../client/endpoint-call.ts'
import { isServed } from '../../client/http-exchange.ts'
import { assumed } from '../../harness/judge/check.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { withHeader, withOneCharacterChanged } from '../request-mutations/tamper-with-requests.ts'
import { GRID_CONTROL, lackedOperation, NO_KEY } from './cell-judgments.ts'
import type { Unspoiled } from './payment-shared-by-forbidden-calls.ts'
import { refusedCorrectCall } from './refused-correct-call.ts'

/** Id of the grid row of operation × key that a 401 met first. */
export const REFUSED_KEY = 'GRD-61'

const COLUMNS = ['finalize', 'charge', 'capture', 'cancel', 'refund'] as const
type Keyed = (typeof COLUMNS)[number]

const isKeyed = (column: string): column is Keyed => (COLUMNS as readonly string[]).includes(column)

/**
 * Makes a call with a spoilt signature, and then correctly under the same key; returns whether the correct one was
 * served, and thereby is the correct call of its column.
 */
export const callUnderRefusedKey = async (
  { merchant }: CheckContext,
  column: string,
  subject: Unspoiled<CallParts>,
  keep: KeepStep<string>,
): Promise<boolean> => {
  if (!isKeyed(column)) return false
  const idempotencyKey = randomUUID()
  const spoilt = { afterSigning: withHeader('signature', withOneCharacterChanged) }
  const send = async (parts: CallParts, alter = {}) => merchant.request(column, { ...parts, idempotencyKey }, alter)
  await keep(
    `${REFUSED_KEY} ${column} unsigned`,
    subject.attempt(parts => send(parts, spoilt)),
  )
  const correct = await keep(`${REFUSED_KEY} ${column}`, subject.current().then(send))
  if (isServed(correct)) await keep(column, Promise.resolve(correct))
  else subject.spoil() // its refusal may hide that it was carried out
  return isServed(correct)
}

const refusedKeyCell = (column: Keyed): Cell => ({
  column,
  clause: 'I3',
  judge: (evidence, expect) => {
    const unsigned = evidence.of(`${REFUSED_KEY} ${column} unsigned`)
    if (expect.response(unsigned).status !== 401)
      throw new EmptyCell('the unsigned call met no 401: GRD-09 judges that')
    const correct = evidence.of(`${REFUSED_KEY} ${column}`)
    expect.response(correct)
    if (isServed(correct)) return
    const control = evidence.of(column)
    if (!isServed(control)) throw refusedCorrectCall('the correct call was refused', control, expect.profile)
    expect.served(correct)
  },
})

/** Grid row of operation × key that a 401 met first: such a call is not the one whose result the key keeps (I3). */
export const REFUSED_KEY_ROW = gridRowCheck({
  ...GRID_CONTROL,
  ...assumed('D-22'),
  id: REFUSED_KEY,
  clause: '5, I3',
  title: 'a 401 does not use up the key of any operation',
  otherColumns: NO_KEY,
  exemptCell: lackedOperation,
  cells: [{ column: 'initiate', empty: 'IDM-40 judges this cell' }, ...COLUMNS.map(refusedKeyCell)],
})
