import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { components } from '../../contracts/openapi.gen.ts'
import { PROVIDER_OPERATIONS, type ProviderOperation } from '../../contracts/operations.ts'
import { ensureOwnAccount } from '../payments/account-ownership.ts'
import { appliesToProvider, providerOfCode } from '../providers/fault-kinds.ts'
import type { Mock, MockData, MockOverrides, MockStep, StepFault } from '../providers/provider-mock.ts'
import { readFault } from '../providers/read-fault-input.ts'
import { parseInstant } from '../support/clock.ts'
import { InvalidMemberError } from '../support/invalid-member-error.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import { ensure, Refusal } from '../support/refusal.ts'
import type { ScenarioCatalogue } from './scenario-catalogue.ts'

type Schemas = components['schemas']
type MockRequest = Schemas['MockRequest']
type AskedStep = Schemas['MockData'] &
  Pick<Schemas['MockStep'], 'fault'> &
  Pick<Schemas['MockInitiateStep'], 'providerCode'>

type Asked = {
  accountIds: readonly string[]
  now: number
  scenarios: ScenarioCatalogue
  choices: DecisionChoices
}

/** Converts a mock request, from the API or from control, to a mock; refuses an invalid one. */
export const createMock = (request: MockRequest, { accountIds, now, scenarios, choices }: Asked): Mock => {
  const { processingAccountId, key, type, scenario, oneTime = false, data } = request
  ensureOwnAccount(processingAccountId, { accountIds, choices })
  ensureValidPassthrough(request)
  ensureKnownScenario(scenario, scenarios)
  const steps = stepsOf(request)
  ensureCodeOfScenario(request, steps, scenarios)
  return {
    processingAccountId,
    key: { type: key.type, value: key.value },
    type,
    ...(scenario === undefined ? {} : { scenario }),
    oneTime,
    steps,
    ...(data === undefined ? {} : { data: dataOf(data) }),
    setAt: now,
    expiresAt: now + LIFETIMES.mock,
  }
}

/** Refuses a PASSTHROUGH mock with steps or data: it takes a scenario and keeps the provider's responses (E3). */
const ensureValidPassthrough = ({ type, scenario, steps = {}, data }: MockRequest): void => {
  if (type !== 'PASSTHROUGH') return
  const none = 'must be left out: PASSTHROUGH keeps the responses of the provider'
  const fields = {
    ...(Object.keys(steps).length > 0 ? { steps: none } : {}),
    ...(data === undefined ? {} : { data: none }),
    ...(scenario === undefined ? { scenario: 'is missing: PASSTHROUGH requires it' } : {}),
  }
  const faults = Object.entries(fields).map(([name, saying]) => `${name} ${saying}`)
  ensure(faults.length === 0, 'INVALID_INPUT', `The mock is not valid: ${faults.join('; ')}.`, fields)
}

/** Refuses a scenario that is not in the catalogue, and suggests similar names (2.7). */
const ensureKnownScenario = (name: string | undefined, scenarios: ScenarioCatalogue): void => {
  const near = name === undefined ? [] : scenarios.nearest(name)
  const cure = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'GET /control/scenarios lists them.'
  ensure(
    name === undefined || scenarios.find(name),
    'INVALID_INPUT',
    `The mock is not valid: there is no scenario ${name}; ${cure}`,
    { scenario: 'is not one of the catalogue' },
  )
}

/** Reads the steps of a mock by operation name, each spelled in one of two ways, such as `capture` or `captureStep`. */
const stepsOf = ({ steps = {} }: MockRequest): Mock['steps'] => {
  const named = (call: ProviderOperation): AskedStep | undefined => {
    const { [call]: short, [`${call}Step` as const]: long } = steps
    const field = `steps.${call}Step`
    ensure(!short || !long, 'INVALID_INPUT', `The mock is not valid: ${field} is given twice.`, {
      [field]: `is given twice: as ${call} too`,
    })
    return short ?? long
  }
  const found = PROVIDER_OPERATIONS.map(call => [call, named(call), steps[call] ? call : `${call}Step`] as const)
  return Object.fromEntries(
    found.flatMap(([call, step, name]) => (step ? [[call, stepOf(step, `steps.${name}`)]] : [])),
  )
}

/** Refuses a provider's code that no payment of the mock's scenario can have (7.5). */
const ensureCodeOfScenario = (
  { steps, scenario }: MockRequest,
  { initiate }: Mock['steps'],
  all: ScenarioCatalogue,
) => {
  const { providers } = (scenario === undefined ? undefined : all.find(scenario)) ?? {}
  const code = initiate?.providerCode
  if (!code || !providers) return
  const field = `steps.${steps?.initiate ? 'initiate' : 'initiateStep'}.providerCode`
  const saying = `is a code of ${providerOfCode(code)}, and ${scenario} is for ${providers.join(' and ')} payments only`
  const isServed = providers.some(id => appliesToProvider({ code }, id))
  ensure(isServed, 'INVALID_INPUT', `The mock is not valid: ${field} ${saying}.`, { [field]: saying })
}

const stepOf = (step: AskedStep, field: string): MockStep => {
  const { status, statusInfo, fault, providerCode } = step
  const saying =
    'contradicts providerCode, with which the provider declines: give DECLINED, or leave one of the two out'
  ensure(
    providerCode === undefined || (status ?? 'DECLINED') === 'DECLINED',
    'INVALID_INPUT',
    `The mock is not valid: ${field}.status ${saying}.`,
    { [`${field}.status`]: saying },
  )
  const overrides = overridesOf(step, field)
  return {
    ...(fault === undefined ? {} : { fault: faultOf(fault, `${field}.fault`) }),
    ...(status === undefined ? {} : { status }),
    ...(providerCode === undefined ? {} : { providerCode }),
    ...(statusInfo === undefined ? {} : { statusInfo }),
    ...(Object.keys(overrides).length > 0 ? { providerDetails: overrides } : {}),
  }
}

const dataOf = (data: Schemas['MockData']): MockData => {
  const { providerDetails, ...said } = stepOf(data, 'data')
  return { ...said, ...providerDetails }
}

/** Reads the fault of a step by the table of faults (7.4, D-87); refuses an invalid one. */
const faultOf = (fault: NonNullable<AskedStep['fault']>, field: string): StepFault => {
  try {
    return readFault(fault)
  } catch (error) {
    if (!(error instanceof InvalidMemberError)) throw error
    const { member, problem: saying } = error
    const fields = { [`${field}.${member}`]: saying }
    throw new Refusal('INVALID_INPUT', 'operation', `The mock is not valid: ${field}.${error.message}`, { fields })
  }
}

/** Reads the overrides of a step or of `data`: in `providerDetails`, or in the step itself (2.7). */
const overridesOf = (step: AskedStep, field: string): MockOverrides => {
  const { providerDetails = {}, ...own } = step
  const { providerTransactionId, redirectUrl, qrCode, registeredAt, expiresAt } = { ...own, ...providerDetails }
  const twice = Object.keys(providerDetails).find(name => name in own)
  ensure(twice === undefined, 'INVALID_INPUT', `The mock is not valid: ${field}.${twice} is given twice.`, {
    [`${field}.${twice}`]: 'is given twice: in providerDetails too',
  })
  return {
    ...(providerTransactionId === undefined ? {} : { providerTransactionId }),
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(qrCode === undefined ? {} : { qrCode }),
    ...(registeredAt === undefined ? {} : { registeredAt: instantOf(registeredAt) }),
    ...(expiresAt === undefined ? {} : { expiresAt: instantOf(expiresAt) }),
  }
}

/** Reads a time given as ISO 8601 or as epoch milliseconds (2.7); returns epoch milliseconds. */
const instantOf = (time: string | number): number => (typeof time === 'number' ? time : parseInstant(time))
