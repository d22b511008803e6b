import type { Payment, ScriptedOutcome } from '../payments/payment.ts'
import type { Mock } from '../providers/provider-mock.ts'
import { compareCallWithMock, type MockableCall, type MockComparison } from './compare-call-with-mock.ts'
import { toMockedStep, toPassthroughStep, toScriptedOutcome } from './create-scripted-response.ts'
import { type MagicValue, readMagicAmount, readMagicCode } from './magic-values.ts'
import type { Scenario, ScenarioStep } from './scenario.ts'
import type { ScenarioCatalogue } from './scenario-catalogue.ts'

/** Input for selecting a scenario: a call that begins a payment, or is on one. */
type ScenarioSelectionInput = {
  subject: MockableCall
  payment: Payment | undefined
  amount: number | undefined
  oneTimeCode: string | undefined
  /** Scenario of the mandate under which a charge is made. */
  mandateScenario: string | undefined
  /** Mocks that may match the call, and some that do not, newest first. */
  mocks: readonly Mock[]
  catalogue: ScenarioCatalogue
}

/** The scenario or mock selected for a call, the step to respond with, and the comparisons that led to it. */
export type SelectedScenario = {
  /** The scripted step; undefined if the provider responds by itself. */
  step?: ScenarioStep
  /** Whether the provider is not called at all (E3). */
  mocked: boolean
  /** Scripted outcome that a new payment stores. */
  arranged?: ScriptedOutcome
  scenario?: Scenario
  mock?: Mock
  /** Why a magic BLIK code, which no phone shows, is none. */
  unknownCode?: string
  /** Why a magic amount is an ordinary one, for the journal. */
  ordinaryAmount?: string
  /** Comparisons with mocks, for the journal. */
  notes: readonly MockComparison[]
}

/**
 * Selects the scenario of a provider call; the only definition of the precedence (E2): newest matching mock, magic BLIK
 * code, magic amount, a charge's mandate, the provider as it is. What a magic value selected when the payment began
 * applies to every later call on it; mocks are matched again for every call.
 */
export const selectScenario = (question: ScenarioSelectionInput): SelectedScenario => {
  const { payment, catalogue, oneTimeCode, amount, mandateScenario, subject } = question
  const { mock, notes } = matchMocks(question)
  const base = { mocked: false, notes }
  if (mock) return { ...byMock(mock, question), notes }
  if (payment) return { ...base, ...byPayment(payment, question) }
  const byCode = subject.operation === 'initiate' ? scenarioFor(readMagicCode(oneTimeCode, catalogue), subject) : {}
  if ('unknown' in byCode) return { ...base, unknownCode: byCode.unknown }
  if ('scenario' in byCode) return { ...base, ...byScenario(byCode.scenario, { by: 'code', type: 'MOCK' }, question) }
  const byAmount = scenarioFor(readMagicAmount(amount, catalogue), subject)
  if ('scenario' in byAmount)
    return { ...base, ...byScenario(byAmount.scenario, { by: 'amount', type: 'PASSTHROUGH' }, question) }
  const ofMandate = mandateScenario === undefined ? undefined : catalogue.find(mandateScenario)
  return {
    ...base,
    ...('unknown' in byAmount ? { ordinaryAmount: byAmount.unknown } : {}),
    ...(ofMandate?.steps.charge ? byScenario(ofMandate, { by: 'mandate', type: 'PASSTHROUGH' }, question) : {}),
  }
}

/** Returns the scenario of a magic value, or why it has none for this call; neither for an ordinary value. */
const scenarioFor = (
  found: MagicValue,
  { providerId }: MockableCall,
): { scenario: Scenario } | { unknown: string } | Record<string, never> => {
  if (!found || 'unknown' in found) return found ?? {}
  const { name, providers } = found.scenario
  if (providers.some(id => id === providerId)) return found
  return { unknown: `The scenario ${name} is for ${providers.join(' and ')} payments only.` }
}

const matchMocks = ({
  mocks,
  catalogue,
  subject,
}: ScenarioSelectionInput): { mock?: Mock; notes: MockComparison[] } => {
  const compared = mocks.map(mock => {
    const scenario = mock.scenario === undefined ? undefined : catalogue.find(mock.scenario)
    return { mock, difference: compareCallWithMock(mock, scenario, subject) }
  })
  const mock = compared.find(({ difference }) => !difference)?.mock
  const notes = compared.map(({ mock: { key, type, scenario }, mock: one, difference }) => ({
    key,
    type,
    ...(scenario === undefined ? {} : { scenario }),
    ...(difference ?? (one === mock ? { matched: true as const } : NOT_THE_NEWEST)),
  }))
  return { ...(mock ? { mock } : {}), notes }
}

const NOT_THE_NEWEST = { differed: 'setAt', expected: 'the newest mock that matches', got: 'an older one' }

const byMock = (mock: Mock, question: ScenarioSelectionInput): Omit<SelectedScenario, 'notes'> => {
  const scenario = question.catalogue.find(mock.scenario ?? 'OK')
  const chosen = byScenario(scenario, { by: 'mock', type: mock.type }, question)
  return mock.type === 'MOCK'
    ? { ...chosen, ...stepOf(toMockedStep(question.subject.operation, mock, scenario)), mock }
    : { ...chosen, mock }
}

const byPayment = ({ arranged }: Payment, question: ScenarioSelectionInput): Partial<SelectedScenario> => {
  if (!arranged?.scenario || arranged.by === 'mock') return {}
  const scenario = question.catalogue.find(arranged.scenario)
  return scenario ? byScenario(scenario, arranged, question) : {}
}

const byScenario = (
  scenario: Scenario | undefined,
  { by, type }: Pick<ScriptedOutcome, 'by' | 'type'>,
  { subject: { operation, providerId } }: ScenarioSelectionInput,
): Omit<SelectedScenario, 'notes'> => ({
  mocked: type === 'MOCK',
  ...(scenario ? { scenario } : {}),
  ...stepOf(
    type === 'MOCK'
      ? toMockedStep(operation, { steps: {} }, scenario)
      : toPassthroughStep(operation, scenario?.steps[operation]),
  ),
  ...(providerId ? { arranged: toScriptedOutcome(scenario, { by, type }, providerId) } : {}),
})

const stepOf = (step: ScenarioStep | undefined): Pick<SelectedScenario, 'step'> => (step ? { step } : {})
