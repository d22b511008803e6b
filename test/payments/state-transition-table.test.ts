import { describe, expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { applyDeadline } from '../../simulator/operations/apply-deadline.ts'
import type { DeadlineRules } from '../../simulator/operations/operation-types.ts'
import {
  applyTransition,
  beginPayment,
  createEmptyChange,
  noProblem,
} from '../../simulator/payments/apply-transition.ts'
import { DEADLINES, deadlinesOfState } from '../../simulator/payments/deadline-kinds.ts'
import {
  type Cause,
  findTransition,
  isAllowed,
  STATES,
  type State,
  TRANSITIONS,
} from '../../simulator/payments/lifecycle.ts'
import type { NewPayment, Payment } from '../../simulator/payments/payment.ts'
import { createIds } from '../../simulator/support/ids.ts'
import { createPaymentIn, stateOf } from '../support/create-test-payments.ts'
import { actionRequest } from '../support/payment-requests.ts'
import { openCore } from '../support/simulator-core.ts'

const ALL = Object.keys(STATES) as State[]
const CAUSES = [...new Set(TRANSITIONS.map(([, cause]) => cause))]
const OUTCOMES = [...new Set(TRANSITIONS.map(([, , outcome]) => outcome))]
const moves = ALL.flatMap(state => CAUSES.map(cause => ({ state, cause })))

describe('R5: the table of transitions', () => {
  test('every state can be reached from the start', () => {
    const reached = new Set<string>(['NEW'])
    for (let before = 0; before < reached.size; ) {
      before = reached.size
      for (const [from, , , to] of TRANSITIONS) if (reached.has(from)) reached.add(to)
    }
    expect([...reached].sort()).toEqual(['NEW', ...ALL].sort())
  })

  test('the final states are those without outgoing transitions', () => {
    const left = ALL.filter(state => !TRANSITIONS.some(([from]) => from === state))
    expect(left).toEqual(ALL.filter(state => STATES[state].final))
  })

  test('each state, cause and outcome has at most one row', () => {
    const names = TRANSITIONS.map(([from, cause, outcome]) => `${from} ${cause} ${outcome}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test('every state has one of the five statuses and a stage of clause 3', () => {
    const words = new Set(Object.values(STATES).map(({ status }) => status))
    expect([...words].sort()).toEqual(['ACCEPTED', 'APPROVED', 'CANCELED', 'DECLINED', 'PENDING'])
    const stages = new Set(Object.values(STATES).map(({ stage }) => stage))
    const named = [
      'authorization',
      'cancel',
      'capture',
      'expire',
      'fail',
      'initiation',
      'refund',
      'settlement',
      'success',
    ]
    expect([...stages].sort()).toEqual(named)
  })

  test('R1, R2, R4: refund follows settlement, cancel precedes capture, settlement follows capture', () => {
    const from = (cause: Cause) => ALL.filter(state => isAllowed(state, cause))
    expect(from('refund')).toEqual(['PARTIALLY_CAPTURED', 'CAPTURED', 'SETTLED', 'PARTIALLY_REFUNDED'])
    expect(from('cancel')).toEqual(['AWAITING_SHOPPER', 'AUTHENTICATED', 'AUTHORIZED'])
    expect(from('settle')).toEqual(['PARTIALLY_CAPTURED', 'CAPTURED'])
    expect(from('capture')).toEqual(['AUTHORIZED', 'PARTIALLY_CAPTURED'])
    expect(from('hold')).toEqual(['AUTHORIZED', 'PARTIALLY_CAPTURED'])
  })

  test('R3, R6, R7: each deadline runs in exactly the states that its cause can leave', () => {
    for (const { cause } of Object.values(DEADLINES)) {
      const whileIn: State[] = Object.values(DEADLINES).flatMap(row => (row.cause === cause ? [...row.whileIn] : []))
      expect([...new Set(whileIn)].sort()).toEqual(ALL.filter(state => isAllowed(state, cause)).sort())
    }
  })
})

const RULES = { choices: decisionChoices(), ids: createIds() } as unknown as DeadlineRules
const ANY = { createdAt: 0, statusInfo: noProblem('') } as Payment

describe('R5: a transition that is not in the table is refused with 422/5002', () => {
  test.each(moves)('$state by $cause, for each outcome', ({ state, cause }) => {
    for (const outcome of OUTCOMES) {
      const move = () =>
        applyTransition(createEmptyChange({ ...ANY, state }), { cause, outcome, at: 1, statusInfo: noProblem('moved') })
      const row = findTransition(state, cause, outcome)
      if (row) expect(move().payment.state).toBe(row.to)
      else expect(move).toThrow(expect.objectContaining({ refusal: 'TRANSITION_NOT_ALLOWED' }))
    }
  })

  test('a payment begins by a transition from NEW only, which gives it state and time', () => {
    const move = { cause: 'initiate', outcome: 'pending', at: 7, statusInfo: noProblem('') } as const
    const { payment, isNew, events } = beginPayment({} as NewPayment, move)
    expect({ ...payment, isNew }).toMatchObject({ state: 'AWAITING_SHOPPER', createdAt: 7, isNew: true })
    expect(events).toEqual([{ type: 'payment.initiated', ...move, outcome: undefined, state: 'AWAITING_SHOPPER' }])
    expect(() => beginPayment({} as NewPayment, { ...move, cause: 'refund', outcome: 'full' })).toThrow(Error)
  })
})

const CALLS = ['finalize', 'capture', 'cancel', 'refund'] as const
const refused = ALL.flatMap(state => CALLS.filter(call => !isAllowed(state, call)).map(call => ({ state, call })))
const late = ALL.filter(state => !isAllowed(state, 'shopper'))

describe('R5: calls out of order change nothing', () => {
  test.each(refused.filter(({ state, call }) => !(state === 'AWAITING_SHOPPER' && call === 'finalize')))(
    '$call of a payment that is $state: 422/5002',
    async ({ state, call }) => {
      const core = await openCore()
      const id = await createPaymentIn(core, state)
      const before = (await core.events(id)).text
      const { http, body } = await core.call(call, actionRequest(id))
      expect([http, body.status, body.statusInfo.reasonCode]).toEqual([422, 'DECLINED', '5002'])
      expect((await core.events(id)).text).toBe(before)
      expect(await stateOf(core, id)).toBe(state)
    },
  )

  test.each(late)('the shopper cannot decide on a payment that is %s', async state => {
    const core = await openCore()
    const id = await createPaymentIn(core, state)
    for (const action of ['approve', 'decline'] as const)
      expect(await core.decide(id, action)).toMatchObject({ http: 422, body: { statusInfo: { reasonCode: '5002' } } })
    expect(await stateOf(core, id)).toBe(state)
  })

  test.each(ALL)('a deadline of another state does not change %s', state => {
    const strangers = (Object.keys(DEADLINES) as (keyof typeof DEADLINES)[]).filter(
      name => !deadlinesOfState(state).includes(name),
    )
    for (const name of strangers)
      expect(applyDeadline({ ...ANY, state }, { name, dueAt: 1 }, RULES)).toEqual(createEmptyChange({ ...ANY, state }))
  })
})
