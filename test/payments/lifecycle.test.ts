import { describe, expect, test } from 'vitest'
import { passDeadline } from '../../simulator/operations/deadline.ts'
import { DEADLINES, deadlinesIn } from '../../simulator/payments/deadlines.ts'
import { allows, type Cause, STATES, type State, TRANSITIONS, transition } from '../../simulator/payments/lifecycle.ts'
import type { Payment } from '../../simulator/payments/payment.ts'
import { noProblem, record, unchanged } from '../../simulator/payments/record.ts'
import { Refusal } from '../../simulator/refusal.ts'
import { openCore } from '../support/core.ts'
import { act, paymentIn, stateOf } from '../support/payments.ts'

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

  test('final are exactly the states that no row leads out of', () => {
    const left = ALL.filter(state => !TRANSITIONS.some(([from]) => from === state))
    expect(left).toEqual(ALL.filter(state => STATES[state].final))
  })

  test('a move has one row at most', () => {
    const names = TRANSITIONS.map(([from, cause, outcome]) => `${from} ${cause} ${outcome}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test('every state shows one of the five words and a stage of clause 3', () => {
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
    const from = (cause: Cause) => ALL.filter(state => allows(state, cause))
    expect(from('refund')).toEqual(['SETTLED', 'PARTIALLY_REFUNDED'])
    expect(from('cancel')).toEqual(['AUTHORIZED'])
    expect(from('settle')).toEqual(['PARTIALLY_CAPTURED', 'CAPTURED'])
    expect(from('capture')).toEqual(['AUTHORIZED', 'PARTIALLY_CAPTURED'])
    expect(from('hold')).toEqual(['AUTHORIZED', 'PARTIALLY_CAPTURED'])
  })

  test('R3, R6, R7: each deadline runs in the states that its cause leads out of', () => {
    for (const { cause } of Object.values(DEADLINES)) {
      const whileIn: State[] = Object.values(DEADLINES).flatMap(row => (row.cause === cause ? [...row.whileIn] : []))
      expect([...new Set(whileIn)].sort()).toEqual(ALL.filter(state => allows(state, cause)).sort())
    }
  })
})

const ANY = { createdAt: 0, statusInfo: noProblem('') } as Payment

describe('R5: a move that is no row is refused with 422/5002', () => {
  test.each(moves)('$state by $cause, whatever its outcome', ({ state, cause }) => {
    for (const outcome of OUTCOMES) {
      const move = () => record(unchanged({ ...ANY, state }), { cause, outcome, at: 1, statusInfo: noProblem('moved') })
      const row = transition(state, cause, outcome)
      if (row) expect(move().payment.state).toBe(row.to)
      else expect(move).toThrow(expect.objectContaining({ refusal: 'TRANSITION_NOT_ALLOWED' }))
    }
  })

  test('a payment in its first unit of work moves as NEW, whatever state it is to get', () => {
    const fresh = unchanged({ ...ANY, createdAt: -1, state: 'DECLINED' })
    const move = { cause: 'initiate', outcome: 'pending', at: 7, statusInfo: noProblem('') } as const
    expect(record(fresh, move).payment).toMatchObject({ state: 'AWAITING_SHOPPER', createdAt: 7 })
    expect(() => record(fresh, { ...move, cause: 'refund', outcome: 'full' })).toThrow(Refusal)
  })
})

const CALLS = ['finalize', 'capture', 'cancel', 'refund'] as const
const refused = ALL.flatMap(state => CALLS.filter(call => !allows(state, call)).map(call => ({ state, call })))
const late = ALL.filter(state => !allows(state, 'shopper'))

describe('R5: calls out of order change nothing', () => {
  test.each(refused.filter(({ state, call }) => !(state === 'AWAITING_SHOPPER' && call === 'finalize')))(
    '$call of a payment that is $state: 422/5002',
    async ({ state, call }) => {
      const core = await openCore()
      const id = await paymentIn(core, state)
      const before = (await core.events(id)).text
      const { http, body } = await core.call(call, act(id))
      expect([http, body.status, body.statusInfo.reasonCode]).toEqual([422, 'DECLINED', '5002'])
      expect((await core.events(id)).text).toBe(before)
      expect(await stateOf(core, id)).toBe(state)
    },
  )

  test.each(late)('the shopper cannot decide on a payment that is %s', async state => {
    const core = await openCore()
    const id = await paymentIn(core, state)
    for (const action of ['approve', 'decline'] as const)
      expect(await core.decide(id, action)).toMatchObject({ http: 422, body: { statusInfo: { reasonCode: '5002' } } })
    expect(await stateOf(core, id)).toBe(state)
  })

  test.each(ALL)('a deadline that is none of %s passes it by', state => {
    const strangers = (Object.keys(DEADLINES) as (keyof typeof DEADLINES)[]).filter(
      name => !deadlinesIn(state).includes(name),
    )
    for (const name of strangers)
      expect(passDeadline({ ...ANY, state }, { name, dueAt: 1 })).toEqual(unchanged({ ...ANY, state }))
  })
})
