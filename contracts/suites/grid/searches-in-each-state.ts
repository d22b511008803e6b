import type { Exchange } from '../../client/http-exchange.ts'
import type { Check } from '../../harness/judge/check.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { startsPayment } from '../../operations.ts'
import { gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { searchFor } from '../given/harmless-calls.ts'
import { readUntil } from '../given/read-until.ts'
import { ensureStage, GRID_CONTROL } from './cell-judgments.ts'
import { FURTHER_STATES } from './further-states.ts'
import { expectFound, FOUND_NEEDS, findsNothing } from './search-rows.ts'
import { lackedIn, STATES, type StateRow, stagesOf } from './states-and-their-acts.ts'

/** Id of the grid row of state × search. */
export const FOUND_IN_STATE = 'GRD-78'

/** States whose payments a search must find, each as a column; GRD-41 and GRD-66 judge the others. */
const SEARCHED: Readonly<Record<string, string>> = {
  'GRD-14': 'decline',
  'GRD-42': 'lapse',
  'GRD-18': 'cancel',
  'GRD-71': 'consent',
  'GRD-72': 'capture of a part',
  'GRD-73': 'refund of a part',
  'GRD-74': 'token',
}

const rowOf = (id: string): StateRow => [...STATES, ...FURTHER_STATES].find(row => row.id === id) as StateRow

/** Names of the steps of a state row that show the call that began its payment, and a search for it. */
export const BEGUN = { call: 'begun', found: 'found' } as const

/** The call that began a payment, and the reference that it gave. */
type Beginning = { exchange: Exchange; clientTransactionId: string }

/** Wraps the context of checks so that it notes by which call, and under which reference, each payment began. */
export const noteBeginnings = (context: CheckContext) => {
  const known = new Map<string, Beginning>()
  const request: CheckContext['merchant']['request'] = async (endpoint, parts, alter) => {
    const exchange = await context.merchant.request(endpoint, parts, alter)
    const { clientTransactionId } = (parts?.json ?? {}) as Partial<Beginning>
    if (startsPayment(endpoint) && clientTransactionId !== undefined)
      known.set(String(findField(context.profile, exchange, `${endpoint}.transactionId`)), {
        exchange,
        clientTransactionId,
      })
    return exchange
  }
  return {
    context: { ...context, merchant: { ...context.merchant, request } },
    beginningOf: (transactionId: string) => known.get(transactionId),
  }
}

/** Whether the payment of a row is searched for. */
export const isSearched = ({ id }: StateRow): boolean => id in SEARCHED

/** Searches for a payment by the reference under which it began: the index may lag (E5). */
export const searchForBegun = (context: CheckContext, { clientTransactionId }: Beginning): Promise<Exchange> =>
  readUntil(
    context.profile,
    () => searchFor(context, clientTransactionId),
    it => !findsNothing(context.profile, it),
    context,
  )

/** Grid row of state × search: a payment can be looked up whatever became of it (2.1, 8). */
export const FOUND_ROW: Check = gridRowCheck({
  ...GRID_CONTROL,
  control: 'RDS-09',
  id: FOUND_IN_STATE,
  clause: '2.1, 8',
  title: 'a payment is found by its clientTransactionId however it stands, or ended',
  otherColumns: 'one payment is searched for in each state',
  needs: FOUND_NEEDS,
  cells: Object.entries(SEARCHED).map(([id, column]) => ({
    column,
    clause: '2.1, 8',
    judge: (evidence, expect) => {
      const [row, { profile }] = [rowOf(id), expect]
      const lacked = lackedIn(row)(profile, 'status')
      if (lacked) throw new EmptyCell(lacked)
      if (row.stages.length > 0) ensureStage(evidence, expect, `${id} before`, stagesOf(row, profile))
      else expect.served(evidence.of(`${id} before`))
      const transactionId = String(expect.field(evidence.of(`${id} ${BEGUN.call}`), 'initiate.transactionId'))
      expectFound(evidence.of(`${id} ${BEGUN.found}`), transactionId, expect)
    },
  })),
})
