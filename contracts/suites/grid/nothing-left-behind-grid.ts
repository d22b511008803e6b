import { randomUUID } from 'node:crypto'
import type { CallParts } from '../../client/endpoint-call.ts'
import { isServed } from '../../client/http-exchange.ts'
import type { CallOverrides } from '../../client/send-signed-call.ts'
import { assumed, type CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { preparePayment } from '../given/create-payments.ts'
import { searchFor } from '../given/harmless-calls.ts'
import { readUntil } from '../given/read-until.ts'
import { chargeBody, uniqueReference } from '../given/request-bodies.ts'
import { withoutHeader } from '../request-mutations/tamper-with-requests.ts'
import { lackedOperation } from './cell-judgments.ts'
import { findsNothing, idsIn, OTHERS_FOUND } from './search-rows.ts'
import { isByHand, mandatePayer } from './signed-operation-columns.ts'

const BEGINNINGS = ['initiate', 'charge'] as const
type Beginning = (typeof BEGINNINGS)[number]
type Body = { clientTransactionId: string }

/** Faults for which a call that begins a payment is refused. */
// biome-ignore format: a table reads by its columns
const FAULTS: readonly { name: string; parts?: CallParts; alter?: CallOverrides }[] = [
  { name: 'without a token',      alter: { token: null } },
  { name: 'without a signature',  alter: { afterSigning: withoutHeader('signature') } },
  { name: 'without a key',        alter: { afterSigning: withoutHeader('idempotency-key') } },
  { name: 'with a token to read', parts: { scope: 'payments:read' } },
]
const USED_KEY = 'under a used key'
const NAMES = [...FAULTS.map(({ name }) => name), USED_KEY]

const stepOf = (operation: Beginning, name: string): string => `${operation} ${name}`
const searchAfter = (step: string): string => `left by ${step}`

/** Creates the function that makes a correct body of a call that begins a payment, each with a reference of its own. */
const createBodies = async (context: CheckContext, operation: Beginning): Promise<() => Promise<Body>> => {
  if (operation === 'initiate') return () => preparePayment(context, { will: 'wait' })
  const payer = await mandatePayer(context)
  return async () => chargeBody(context.account, payer, !isByHand(context))
}

/** Makes the calls of one operation, each with a fault, and one without; then searches for the reference of each. */
const tryFaults = async (context: CheckContext, keep: KeepStep<string>, operation: Beginning): Promise<void> => {
  const { merchant, profile } = context
  const [prepare, tried] = [await createBodies(context, operation), new Map<string, string>()]
  const send = async (name: string, parts: CallParts = {}, alter: CallOverrides = {}) => {
    const json = await prepare()
    tried.set(stepOf(operation, name), json.clientTransactionId)
    await keep(stepOf(operation, name), merchant.request(operation, { ...parts, json }, alter))
    return json.clientTransactionId
  }
  for (const { name, parts, alter } of FAULTS) await send(name, parts, alter)
  const key = { idempotencyKey: randomUUID() }
  const correct = await send('correct', key)
  await send(USED_KEY, key)
  const found = readUntil(
    profile,
    () => searchFor(context, correct),
    it => !findsNothing(profile, it),
    context,
  )
  await keep(searchAfter(stepOf(operation, 'correct')), found)
  for (const [step, reference] of tried)
    if (reference !== correct) await keep(searchAfter(step), searchFor(context, reference))
}

const judge = (evidence: Evidence<string>, expect: Expect, operation: Beginning, name: string): void => {
  const [step, correct] = [stepOf(operation, name), stepOf(operation, 'correct')]
  const refused = evidence.of(step)
  const { status } = expect.response(refused)
  if (isServed(refused)) throw new EmptyCell('it was served, which other checks judge')
  if (status >= 500) throw new EmptyCell('its response leaves open whether it was carried out')
  if (idsIn(evidence.of('nothing'), expect).length > 0) throw new EmptyCell(OTHERS_FOUND)
  const found = (of: string) => idsIn(evidence.of(searchAfter(of)), expect)
  if (!isServed(evidence.of(correct)) || found(correct).length === 0)
    throw new EmptyCell('the same call without a fault leaves no payment that a search finds')
  expect.specified(() => expect.equal('payments', found(step), [], evidence.of(searchAfter(step))))
}

const cellOf = (operation: Beginning, name: string): Cell => ({
  column: stepOf(operation, name),
  clause: 'I1, I4, 5, 5.3',
  judge: (evidence, expect) => judge(evidence, expect, operation, name),
})

/** Scenario with the grid row of operation that begins a payment × fault: what was refused begins none (5, I1, I4). */
export const nothingLeftBehindGrid: CheckScenario<CheckContext> = {
  name: 'refused calls that would begin a payment',
  tier: 3,
  play: async (context, keep) => {
    for (const operation of BEGINNINGS)
      if (lackedOperation(context.profile, operation) === undefined)
        await tryFaults(context, keep, operation).catch(() => undefined)
    await keep('nothing', searchFor(context, uniqueReference()))
  },
  checks: [
    gridRowCheck({
      ...assumed('D-73'),
      id: 'GRD-59',
      clause: 'I1, I4, 5, 5.3',
      title: 'a refused initiate or charge leaves no payment behind',
      control: 'RDS-09',
      needs: ['fields.search.list', 'fields.search.transactionId'],
      exemptCell: (profile, column) => lackedOperation(profile, column.split(' ')[0] ?? ''),
      cells: BEGINNINGS.flatMap(operation => NAMES.map(name => cellOf(operation, name))),
    }),
  ],
}
