import { randomUUID } from 'node:crypto'
import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { Check } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../../harness/judge/scenario-evidence.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { searchFor } from '../given/harmless-calls.ts'
import { readUntil } from '../given/read-until.ts'
import { uniqueReference } from '../given/request-bodies.ts'
import { GRID_CONTROL, lackedOperation } from './cell-judgments.ts'

/** Id of the grid row of step × search: a payment is found by its clientTransactionId whatever became of it. */
export const FOUND = 'GRD-41'
const KEYED = 'GRD-50'

export const FOUND_NEEDS = ['fields.initiate.transactionId', 'fields.search.list', 'fields.search.transactionId']
const STEPS = ['initiate', 'finalize', 'capture', 'settlement', 'refund'] as const
export type LookedUpStep = (typeof STEPS)[number]

/** Creates a function that searches for a payment after one of its steps, and keeps the search as evidence. */
export const createLookup =
  (context: CheckContext, keep: KeepStep<string>, chosen: ReadonlySet<string>) =>
  async (step: LookedUpStep, clientTransactionId: string): Promise<void> => {
    const { profile } = context
    if (!chosen.has(FOUND) && !chosen.has(KEYED)) return
    const search = () => searchFor(context, clientTransactionId)
    const isFirst = step === 'initiate'
    const found = isFirst ? readUntil(profile, search, it => !findsNothing(profile, it), context) : search()
    await keep(`${FOUND} ${step}`, found).catch(() => undefined)
    if (isFirst && chosen.has(KEYED)) await keepKeyedSearch(context, keep, clientTransactionId)
  }

/** Whether a search has an empty list: its index may lag (E5). */
export const findsNothing = (profile: Profile, exchange: Exchange): boolean => {
  const list = findField(profile, exchange, 'search.list')
  return isServed(exchange) && (list === undefined || (Array.isArray(list) && list.length === 0))
}

/** Searches twice under one Idempotency-Key: for nothing known, then for a payment (E1). */
const keepKeyedSearch = async (
  { merchant }: Pick<CheckContext, 'merchant'>,
  keep: KeepStep<string>,
  clientTransactionId: string,
): Promise<void> => {
  const headers = { 'idempotency-key': randomUUID() }
  const search = (id: string) => merchant.request('search', { json: { clientTransactionId: id }, headers })
  await search(uniqueReference())
  await keep(KEYED, search(clientTransactionId)).catch(() => undefined)
}

/** Reads the ids of the payments that a search found; expects it to be served. */
export const idsIn = (exchange: Exchange, expect: Expect): string[] => {
  expect.served(exchange)
  return expect.items(exchange, 'search.list', 'search.transactionId').map(String)
}

/** Why a cell is empty where a search need not go by the reference that it is given. */
export const OTHERS_FOUND = 'a search finds payments of other references as well'

/**
 * Expects a search to find a payment, and returns all ids that it found; throws EmptyCell where it shows several others
 * instead: one that does not go by the reference may show a page of the latest (2.9).
 */
export const expectFound = (exchange: Exchange, transactionId: string, expect: Expect): string[] => {
  const ids = idsIn(exchange, expect)
  const isFound = ids.includes(transactionId)
  if (!isFound && ids.length > 1) throw new EmptyCell(OTHERS_FOUND)
  expect.holds(isFound, `the payment ${transactionId}`, ids, exchange)
  return ids
}

/** Expects the same search to find the payment that it found right after initiate. */
const judgeFound = (evidence: Evidence<string>, expect: Expect, step: string): void => {
  const transactionId = String(expect.field(evidence.of('initiate'), 'initiate.transactionId'))
  const [first, later] = [evidence.of(`${FOUND} initiate`), evidence.of(step)]
  if (!idsIn(first, expect).includes(transactionId))
    throw new EmptyCell('this search does not find the payment to begin with: RDS-09 judges that')
  expectFound(later, transactionId, expect)
}

/** Grid row check of step × search: a payment is found by its clientTransactionId after each of its steps (2.1, 8). */
export const LOOKUP_ROW: Check = gridRowCheck({
  ...GRID_CONTROL,
  id: FOUND,
  clause: '2.1, 8',
  title: 'a payment is found by its clientTransactionId after each of its steps',
  otherColumns: 'the search for one payment is compared, from its authorization to its refund',
  needs: FOUND_NEEDS,
  exemptCell: lackedOperation,
  cells: STEPS.filter(step => step !== 'initiate').map(step => ({
    column: step,
    clause: '2.1, 8',
    judge: (evidence, expect) => judgeFound(evidence, expect, `${FOUND} ${step}`),
  })),
})

/**
 * Grid row check of read operation × Idempotency-Key: a search under the key of another search is not answered with
 * its result (E1).
 */
export const KEYED_READ_ROW: Check = gridRowCheck({
  ...GRID_CONTROL,
  id: KEYED,
  clause: 'E1',
  title: 'a read under the key of another read tells what it is asked for',
  otherColumns: 'it is no read',
  needs: FOUND_NEEDS,
  cells: [
    { column: 'status', empty: 'IDM-26 judges this cell' },
    { column: 'events', empty: 'IDM-27 judges this cell' },
    { column: 'search', clause: 'E1', judge: (evidence, expect) => judgeFound(evidence, expect, KEYED) },
    { column: 'providers', empty: 'IDM-25 judges this cell' },
  ],
})
