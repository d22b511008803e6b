import { expect, test } from 'vitest'
import { TRANSITIONS as STEPS } from '../../contracts/model/lifecycle.ts'
import { readOpenapiSchemas } from '../../contracts/schema/read-openapi-schemas.ts'
import { STATE_OF_STAGE } from '../../docs/lifecycle-page.ts'
import { STATES, TRANSITIONS } from '../../simulator/payments/lifecycle.ts'

/** Steps that the model counts as one and the simulator makes as two transitions, or does not choose. */
const NOT_OF_THE_SIMULATOR = [
  'NEW charge CAPTURED', // authorized, then captured at once
  'AUTHENTICATED finalize CAPTURED', // the same
  'PARTIALLY_CAPTURED capture SETTLED', // captured, then settled in the time of the call (R4)
  'PARTIALLY_CAPTURED cancel CANCELED', // a reading of R2 that D-39 does not choose
]
/** A transition that the model counts as a decline, whatever the word for it (D-43). */
const NOT_OF_THE_MODEL = ['AWAITING_SHOPPER shopper CANCELED']

const CLOCK = ['window', 'consent', 'hold', 'settle']

const ofModel = new Set(
  STEPS.map(
    ([from, cause, , to]) => `${from === 'none' ? 'NEW' : STATE_OF_STAGE[from]} ${cause} ${STATE_OF_STAGE[to]}`,
  ),
)
/** Transitions by which a payment changes, but those of disputes; their causes as the model names them. */
const ofSimulator = new Set(
  TRANSITIONS.filter(
    ([from, cause, outcome, to]) =>
      cause !== 'dispute' && !(from === to && (outcome === 'declined' || outcome === 'accepted')),
  ).map(([from, cause, , to]) => `${from} ${CLOCK.includes(cause) ? 'time' : cause} ${to}`),
)

test('3: the simulator makes the steps that the model of the contract permits, and no other', () => {
  expect([...ofSimulator].filter(step => !ofModel.has(step))).toEqual(NOT_OF_THE_MODEL)
  expect([...ofModel].filter(step => !ofSimulator.has(step)).sort()).toEqual(NOT_OF_THE_SIMULATOR.toSorted())
})

test('D-05: openapi.yaml lists every state', () => {
  const { LifecycleState } = readOpenapiSchemas() as unknown as Record<string, { enum: string[] }>
  expect(LifecycleState?.enum.toSorted()).toEqual(Object.keys(STATES).toSorted())
})

test('3: every state but that of a dispute shows a stage of the model', () => {
  expect(Object.keys(STATES).filter(state => !Object.values<string>(STATE_OF_STAGE).includes(state))).toEqual([
    'DISPUTED',
  ])
})
