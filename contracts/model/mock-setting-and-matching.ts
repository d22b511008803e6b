import { mayBe, type Rules } from './decided-rules-of-deployment.ts'
import { MOCK_LIFETIME } from './effects-of-time-and-shopper.ts'
import { refused, served } from './expectation.ts'
import type { Call } from './model-call-and-judged-response.ts'
import { isOver, lasting, type ModelState, mayBeOver, type Payment } from './model-state.ts'
import type { Outcome } from './outcome.ts'

type Mock = ModelState['mocks'][number]

const isFor = ({ by, account, key }: Mock, call: Pick<Call, 'by' | 'account' | 'payer' | 'reference'>): boolean =>
  by === call.by && account === call.account && key.value === (key.type === 'PAYER_ID' ? call.payer : call.reference)

/**
 * Returns the mocks that the model permits an initiate or a charge to meet, with undefined for no mock: one that
 * matches and is neither used up nor over (2.7, E2). Of several it is the newest, and one for another step is none,
 * once D-94 is confirmed.
 */
export const matchingMock = ({ mocks }: ModelState, call: Call, rules: Rules): (Mock | undefined)[] => {
  const isDecided = rules.isConfirmed('D-94')
  const isUsedUp = ({ oneTime, used }: Mock) => oneTime === true && used.includes(call.operation)
  const usable = mocks.filter(mock => isFor(mock, call) && !isUsedUp(mock) && !isOver(mock.until, call))
  const matching = isDecided ? usable.filter(({ step }) => step !== 'finalize') : usable
  const certain = matching.findIndex(({ until, step }) => !mayBeOver(until, call) && step !== 'finalize')
  if (certain === -1) return [...matching, undefined]
  return isDecided ? matching.slice(0, certain + 1) : matching
}

/**
 * Whether a MOCK of the model's state may finalize a payment in place of its shopper (2.7, E3). The document does not say
 * whether it may where the payment began without it.
 */
export const mayFinalize = ({ mocks }: ModelState, { owner, ...payment }: Payment, call: Call): boolean =>
  mocks.some(mock => mock.type === 'MOCK' && isFor(mock, { by: owner, ...payment }) && !isOver(mock.until, call))

/** Marks a step of a mock as used, which uses it up where it is `oneTime` (2.7). */
export const useMock = (state: ModelState, mock: Mock, step: string): ModelState => ({
  ...state,
  mocks: state.mocks.map(one => (one === mock ? { ...one, used: [...one.used, step] } : one)),
})

/**
 * Returns the outcomes that the model permits for mock/set: the newest mock of a key replaces the one before it (2.7),
 * or leaves it as it is until D-79 is confirmed.
 */
export const setMock = (state: ModelState, call: Call, rules: Rules): Outcome[] => {
  const { mock, by } = call
  if (!mock) return []
  const isSame = (one: Mock) =>
    one.by === by && one.account === mock.account && one.key.type === mock.key.type && one.key.value === mock.key.value
  const others = state.mocks.filter(one => !isSame(one))
  const set: Mock = { ...mock, by, until: lasting(call, MOCK_LIFETIME), used: [] }
  const isSet: Outcome = {
    expect: served(),
    clause: '2.7',
    after: [
      { ...state, mocks: [set, ...others] },
      ...(others.length < state.mocks.length && !rules.isConfirmed('D-79') ? [state] : []),
    ],
    isDone: true,
  }
  const isNot: Outcome = { expect: refused([400, 422]), clause: 'E3', after: [state] }
  const isPlain = Object.keys(mock.details).length === 0
  if (mock.type === 'MOCK' || isPlain) return [isSet, ...(isPlain || rules.isConfirmed('D-80') ? [] : [isNot])]
  return [...(mayBe(rules, 'D-80', 'refused') ? [isNot] : []), ...(mayBe(rules, 'D-80', 'ignored') ? [isSet] : [])]
}
