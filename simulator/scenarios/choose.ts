import type { Arranged, Payment } from '../payments/payment.ts'
import type { Mock } from '../providers/mock.ts'
import type { Catalogue } from './catalogue.ts'
import { magicAmount, magicCode } from './magic.ts'
import { differenceOf, type MockNote, type Subject } from './match.ts'
import { arrangedBy, mockedStep } from './mock-answer.ts'
import type { Scenario, ScenarioStep } from './scenario.ts'

/** A call that begins a payment, or is on one. */
export type Question = {
  subject: Subject
  payment: Payment | undefined
  amount: number | undefined
  oneTimeCode: string | undefined
  /** Those that may match and some that do not, newest first. */
  mocks: readonly Mock[]
  catalogue: Catalogue
}

/** What was chosen for a call: who answers, with what, and how that came about. */
export type Choice = {
  /** Undefined: the provider answers as it does. */
  step?: ScenarioStep
  /** Where the provider is not asked at all (E3). */
  mocked: boolean
  /** What a payment that begins takes along. */
  arranged?: Arranged
  scenario?: Scenario
  mock?: Mock
  /** A magic value that no scenario has, in a sentence. */
  unknown?: { value: 'code' | 'amount'; sentence: string }
  /** What the journal tells about it. */
  notes: readonly MockNote[]
}

/**
 * The order of precedence, and the only place where it stands (E2): a mock of /mock/set, newest first; then the magic
 * BLIK code; then the magic amount; then the provider as it is. What a magic value chose when a payment began holds
 * for every later call on it; a mock is looked for anew with every call.
 */
export const choose = (question: Question): Choice => {
  const { payment, catalogue, oneTimeCode, amount, subject } = question
  const { mock, notes } = matching(question)
  const base = { mocked: false, notes }
  if (mock) return { ...byMock(mock, question), notes }
  if (payment) return { ...base, ...kept(payment, question) }
  for (const [value, asked, type] of [
    ['code', subject.operation === 'initiate' ? magicCode(oneTimeCode, catalogue) : undefined, 'MOCK'],
    ['amount', magicAmount(amount, catalogue), 'PASSTHROUGH'],
  ] as const) {
    if (!asked) continue
    if ('unknown' in asked) return { ...base, unknown: { value, sentence: asked.unknown } }
    const { scenario } = asked
    if (scenario.providers.some(id => id === subject.providerId))
      return { ...base, ...byScenario(scenario, { by: value, type }, question) }
    const sentence = `The scenario ${scenario.name} is for ${scenario.providers.join(' and ')} payments only.`
    return { ...base, unknown: { value, sentence } }
  }
  return base
}

const matching = ({ mocks, catalogue, subject }: Question): { mock?: Mock; notes: MockNote[] } => {
  const compared = mocks.map(mock => {
    const scenario = mock.scenario === undefined ? undefined : catalogue.find(mock.scenario)
    return { mock, difference: differenceOf(mock, scenario, subject) }
  })
  const mock = compared.find(({ difference }) => !difference)?.mock
  const notes = compared.map(({ mock: { key, type, scenario }, mock: one, difference }) => ({
    key,
    type,
    ...(scenario === undefined ? {} : { scenario }),
    ...(difference ?? (one === mock ? { matched: true as const } : NEWER)),
  }))
  return { ...(mock ? { mock } : {}), notes }
}

const NEWER = { differed: 'setAt', expected: 'the newest mock that matches', got: 'an older one' }

const byMock = (mock: Mock, question: Question): Omit<Choice, 'notes'> => {
  const scenario = question.catalogue.find(mock.scenario ?? 'OK')
  const chosen = byScenario(scenario, { by: 'mock', type: mock.type }, question)
  return mock.type === 'MOCK'
    ? { ...chosen, ...stepOf(mockedStep(question.subject.operation, mock, scenario)), mock }
    : { ...chosen, mock }
}

const kept = ({ arranged }: Payment, question: Question): Partial<Choice> => {
  if (!arranged?.scenario || arranged.by === 'mock') return {}
  const scenario = question.catalogue.find(arranged.scenario)
  return scenario ? byScenario(scenario, arranged, question) : {}
}

const byScenario = (
  scenario: Scenario | undefined,
  { by, type }: Pick<Arranged, 'by' | 'type'>,
  { subject: { operation, providerId } }: Question,
): Omit<Choice, 'notes'> => ({
  mocked: type === 'MOCK',
  ...(scenario ? { scenario } : {}),
  ...stepOf(type === 'MOCK' ? mockedStep(operation, { steps: {} }, scenario) : scenario?.steps[operation]),
  ...(providerId ? { arranged: arrangedBy(scenario, { by, type }, providerId) } : {}),
})

const stepOf = (step: ScenarioStep | undefined): Pick<Choice, 'step'> => (step ? { step } : {})
