import { startsPayment } from '../operations.ts'
import { mayBe, type Rules } from './decided-rules-of-deployment.ts'
import { authorized, consented } from './effects-of-time-and-shopper.ts'
import { declined, type Expectation, REFUSED, refused, served, shows } from './expectation.ts'
import { matchingMock, useMock } from './mock-setting-and-matching.ts'
import type { Call, Details } from './model-call-and-judged-response.ts'
import { isOver, lasting, type ModelState, mayBeOver, type Payment, withPayment } from './model-state.ts'
import { isDecline, unsupported } from './operations-on-payment.ts'
import type { Outcome } from './outcome.ts'

const MINUTE = 60_000
/** The shopper's time (R6, R7); of IRIS the widest reading where D-36 is open. */
const WINDOWS = { BLIK: [45_000, 45_000], IRIS: [5 * MINUTE, 33 * MINUTE] } as const
const IRIS_WINDOW = 30 * MINUTE

const payments = (
  call: Call,
  state: ModelState,
  autoCapture: boolean,
): { name: string; begun: Payment; known: string[] } => {
  const { payment: name = '', by, account, reference = '', method = 'BLIK', type = 'ONE_TIME', amount = 0 } = call
  const begun: Payment = {
    ...{
      owner: by,
      account,
      reference,
      beganBy: call.operation === 'charge' ? 'charge' : 'initiate',
      method,
      type,
      amount,
      autoCapture,
    },
    ...(call.payer === undefined ? {} : { payer: call.payer }),
    ...{ phase: 'waiting', captures: [], refunds: [], released: false, faults: {}, changed: false },
  }
  return { name, begun, known: Object.values(state.payments).flatMap(({ id }) => id ?? []) }
}

/**
 * Returns the model states after a call that did nothing to a payment: the provider was not asked, or it was, which
 * uses up a code and a step of a mock.
 */
export const inVain = (state: ModelState, call: Call, rules: Rules): ModelState[] => {
  const { operation } = call
  const mocks = startsPayment(operation)
    ? matchingMock(state, call, rules).flatMap(mock => (mock ? [useMock(state, mock, operation)] : []))
    : []
  return [...mocks, ...statesOfCode(state, call, false)]
}

/** Whether a payment may be captured automatically: as its call says, else as the service has it (2.1, D-02). */
const autoCapturesOf = ({ autoCapture, method = 'BLIK' }: Call, rules: Rules): boolean[] => {
  if (autoCapture !== undefined) return [autoCapture]
  const mayBeOff = mayBe(rules, 'D-02', 'off') && rules.supports('laterCapture', method) !== false
  return [...(mayBe(rules, 'D-02', 'on') || !mayBeOff ? [true] : []), ...(mayBeOff ? [false] : [])]
}

/** Returns the outcomes that the model permits for an initiate (3, E2 to E4). */
export const initiate = (state: ModelState, call: Call, rules: Rules): Outcome[] => [
  ...withAmountOfToken(state, call, rules),
  ...autoCapturesOf(call, rules).flatMap(autoCapture => initiateOf(state, call, rules, autoCapture)),
]

/** An initiate of TOKEN_ONLY, which takes nothing, may have no amount, until that is decided (2.2, D-44). */
const withAmountOfToken = (state: ModelState, { type, amount }: Call, rules: Rules): Outcome[] =>
  type !== 'TOKEN_ONLY' || amount === undefined || rules.isConfirmed('D-44')
    ? []
    : [{ expect: refused([400], '4'), clause: '2.2, D-44', after: [state] }]

const initiateOf = (state: ModelState, call: Call, rules: Rules, autoCapture: boolean): Outcome[] => {
  const { name, begun, known } = payments(call, state, autoCapture)
  const { method, type } = begun
  const refusal: Outcome = { expect: unsupported(rules), clause: '1, 7.1', after: [state] }
  if (method === 'IRIS' && type !== 'ONE_TIME') return [refusal]
  const mayDefer = call.autoCapture === false ? rules.supports('laterCapture', method) : true
  const mayType = type === 'ONE_TIME' || rules.supports(type === 'RECURRING' ? 'recurring' : 'tokenOnly', method)
  if (mayType === false || (mayDefer === false && rules.isConfirmed('D-37'))) return [refusal]
  const open = mayDefer && mayType ? [] : [refusal]
  const fresh = shows.newPayment(known)
  const mocks = matchingMock(state, call, rules)
  const inBad = isDecline(call.fault)
    ? inVain(state, call, rules).map(one => outcome(declined(), '7.5', one, name, [{ ...begun, phase: 'declined' }]))
    : []
  return [
    ...open,
    ...inBad,
    ...mocks.flatMap(mock => {
      if (mock === undefined) return withoutMock(state, call, rules, begun, name, fresh)
      const isPassed = mock.type === 'PASSTHROUGH'
      const used = statesOfCode(useMock(state, mock, 'initiate'), call, isPassed)
      const waiting = { ...begun, phase: 'waiting', ends: windowOf(call, rules), shopperActs: true } as const
      if (isPassed) {
        const redirect = method === 'IRIS' ? [shows.redirect(true)] : []
        const bad = codeOf(state, call).mayBeBad ? used.flatMap(one => badCode(state, one, rules, name, begun)) : []
        const shown = served(fresh, shows.notMocked([mock.details]), ...redirect)
        return [...bad, ...used.map(one => outcome(shown, 'E3', one, name, [waiting]))]
      }
      const isDecided = rules.isConfirmed('D-95')
      const inPlace = [consented(begun, call, rules), ...(isDecided ? [] : [waiting])]
      const { status: _, ...details }: Details = mock.step === 'finalize' ? {} : mock.details
      const redirect = isDecided && details.redirectUrl === undefined ? [shows.redirect(false)] : []
      const shown = served(fresh, shows.mocked(isDecided ? mock.details : details), ...redirect)
      return used.map(one => outcome(shown, 'E2, E3', one, name, inPlace))
    }),
  ]
}

/** What is known of the one-time code of an initiate (R6); nothing of one that stands in the profile, which sandboxes take again and again. */
const codeOf = ({ codes }: ModelState, call: Call): { isBad: boolean; mayBeBad: boolean } => {
  if (call.method === 'IRIS' || call.code === undefined) return { isBad: false, mayBeBad: false }
  const code = codes[call.code]
  const isBad = code === undefined || code.used || isOver(code.until, call)
  return { isBad, mayBeBad: isBad || mayBeOver(code.until, call) }
}

/** The states after a code was named: the scheme uses it up; a MOCK, which asks no scheme, may or may not (E3). */
const statesOfCode = (state: ModelState, { code: name = '' }: Call, isAsked: boolean): ModelState[] => {
  const code = state.codes[name]
  if (!code) return [state]
  const used = { ...state, codes: { ...state.codes, [name]: { ...code, used: true } } }
  return isAsked ? [used] : [state, used]
}

/** How a code that is wrong, used or over is answered: by a decline or a refusal (D-42). */
const badCode = (state: ModelState, used: ModelState, rules: Rules, name: string, begun: Payment): Outcome[] => [
  ...(mayBe(rules, 'D-42', 'declined')
    ? [outcome(declined('4000'), 'R6, 7.5', used, name, [{ ...begun, phase: 'declined', reason: '4000' }])]
    : []),
  ...(mayBe(rules, 'D-42', '400') ? [{ expect: refused([400, 422], '4'), clause: 'R6, 7.5', after: [state] }] : []),
]

const outcome = (
  expect: Expectation,
  clause: string,
  state: ModelState,
  name: string,
  become: readonly Payment[],
): Outcome => ({
  expect,
  clause,
  after: become.map(payment => withPayment(state, name, payment)),
  isDone: true,
})

const windowOf = (call: Call, rules: Rules) => {
  const [least, most] =
    call.method === 'IRIS' && rules.isConfirmed('D-36') ? [IRIS_WINDOW, IRIS_WINDOW] : WINDOWS[call.method ?? 'BLIK']
  return lasting(call, least, most)
}

const withoutMock = (
  state: ModelState,
  call: Call,
  rules: Rules,
  begun: Payment,
  name: string,
  fresh: ReturnType<typeof shows.newPayment>,
): Outcome[] => {
  const { isBad, mayBeBad } = codeOf(state, call)
  const [used = state] = statesOfCode(state, call, true)
  const bad = mayBeBad ? badCode(state, used, rules, name, begun) : []
  if (isBad) return bad
  const waiting: Payment = { ...begun, ends: windowOf(call, rules), ...(rules.shoppersAct && { shopperActs: true }) }
  const all = state.mocks.map(({ details }) => details)
  const shown = [
    fresh,
    shows.notMocked(all),
    ...(begun.method === 'IRIS' && !rules.shoppersAct ? [shows.redirect(true)] : []),
  ]
  return [...bad, outcome(served(...shown), '3, E4', used, name, [waiting])]
}

/** Returns the outcomes that the model permits for a charge: it needs a mandate (1, 2.5), or a MOCK (D-95). */
export const charge = (state: ModelState, call: Call, rules: Rules): Outcome[] =>
  autoCapturesOf(call, rules).flatMap(autoCapture => chargeOf(state, call, rules, autoCapture))

const chargeOf = (state: ModelState, call: Call, rules: Rules, autoCapture: boolean): Outcome[] => {
  const { name, begun, known } = payments(call, state, autoCapture)
  const ended = (clause: string): Outcome[] =>
    inVain(state, call, rules).map(one => outcome(declined(), clause, one, name, [{ ...begun, phase: 'declined' }]))
  const paid = (paying: ModelState) =>
    authorized({ ...begun, type: 'RECURRING' }, call, rules).map(payment =>
      outcome(served(shows.newPayment(known)), '2.5, 3', paying, name, [payment]),
    )
  const statuses = (['422', '403', '404'] as const).filter(status => mayBe(rules, 'D-63', status)).map(Number)
  const none: Outcome[] = [
    ...(mayBe(rules, 'D-63', 'declined') ? ended('1, D-63') : []),
    { expect: rules.choice('D-63') === undefined ? REFUSED : refused(statuses), clause: '1, D-63', after: [state] },
  ]
  return matchingMock(state, call, rules).flatMap(mock => {
    const isMocked = mock?.type === 'MOCK'
    const hasMandate = state.mandates.some(mandate => isMandateFor(state.payments[mandate], mandate, call))
    const mayHaveOne = !rules.isConfirmed('D-62') && Object.entries(state.payments).some(mayBeMandateFor(call))
    const used = mock ? useMock(state, mock, 'charge') : state
    if (isDecline(call.fault) && (isMocked || hasMandate)) return ended('7.5')
    if (hasMandate) return [...(rules.isConfirmed('D-62') ? [] : none), ...paid(used)]
    if (isMocked) return [...(rules.isConfirmed('D-95') ? [] : none), ...paid(used)]
    return mayHaveOne ? [...none, ...paid(used)] : none
  })
}

/** Whether a payment may have left a mandate for a charge, as far as the document goes: at the consent already, for any account of its owner (D-62, D-63). */
const mayBeMandateFor =
  ({ by, payer, tokenOf }: Call) =>
  ([name, { owner, type, ...payment }]: [string, Payment]): boolean =>
    owner === by && type !== 'ONE_TIME' && (payer === payment.payer || tokenOf === name)

const isMandateFor = (payment: Payment | undefined, mandate: string, { by, account, payer, tokenOf }: Call): boolean =>
  payment?.owner === by &&
  payment.account === account &&
  (payer === undefined || payer === payment.payer) &&
  (tokenOf === undefined || tokenOf === mandate)
