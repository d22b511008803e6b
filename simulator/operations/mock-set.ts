import type { components } from '../../contracts/openapi.gen.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import { readFault, WishError } from '../providers/fault-wish.ts'
import { PROVIDER_CALLS, type ProviderCall } from '../providers/faults.ts'
import type { Mock, MockOverrides, MockStep, StepFault } from '../providers/mock.ts'
import { ensure, Refusal } from '../refusal.ts'
import type { Catalogue } from '../scenarios/catalogue.ts'
import type { Operation } from './operation.ts'

type MockRequest = components['schemas']['MockRequest']
type AskedStep = components['schemas']['MockStep']

/** Keeps a mock for 24 hours; a newer one of the same account and key takes its place (2.7, E3, D-80). */
export const mockSet: Operation<MockRequest> = (request, { accountIds, now, rules }) => ({
  answer: '',
  mock: mockOf(request, { accountIds, now, scenarios: rules.scenarios }),
})

type Asked = { accountIds: readonly string[]; now: number; scenarios: Catalogue }

/** The mock that is asked for, whoever asks. */
export const mockOf = (request: MockRequest, { accountIds, now, scenarios }: Asked): Mock => {
  const { processingAccountId, key, type, scenario, oneTime = false, data } = request
  ensure(
    accountIds.includes(processingAccountId),
    'FORBIDDEN',
    'The processing account is not one of this organization.',
  )
  ensureKept(request)
  ensureKnown(scenario, scenarios)
  return {
    processingAccountId,
    key: { type: key.type, value: key.value },
    type,
    ...(scenario === undefined ? {} : { scenario }),
    oneTime,
    steps: stepsOf(request),
    ...(data === undefined ? {} : { data: overridesOf(data) }),
    setAt: now,
    expiresAt: now + LIFETIMES.mock,
  }
}

/** PASSTHROUGH keeps the provider's own answers: it takes an outcome and no overrides (E3). */
const ensureKept = ({ type, scenario, steps = {}, data }: MockRequest): void => {
  if (type !== 'PASSTHROUGH') return
  const none = 'must be left out: PASSTHROUGH keeps what the provider answers'
  const fields = {
    ...(Object.keys(steps).length > 0 ? { steps: none } : {}),
    ...(data === undefined ? {} : { data: none }),
    ...(scenario === undefined ? { scenario: 'is missing: PASSTHROUGH wants the outcome to arrange' } : {}),
  }
  const faults = Object.entries(fields).map(([name, saying]) => `${name} ${saying}`)
  ensure(faults.length === 0, 'INVALID_INPUT', `The mock is not valid: ${faults.join('; ')}.`, fields)
}

/** A scenario must be one of the catalogue (2.7). */
const ensureKnown = (name: string | undefined, scenarios: Catalogue): void => {
  const near = name === undefined ? [] : scenarios.nearest(name)
  const cure = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'GET /control/scenarios lists them.'
  ensure(
    name === undefined || scenarios.find(name),
    'INVALID_INPUT',
    `The mock is not valid: there is no scenario ${name}; ${cure}`,
    { scenario: 'is not one of the catalogue' },
  )
}

/** The steps under their names, each of which may be spelled in two ways. */
const stepsOf = ({ steps = {} }: MockRequest): Mock['steps'] => {
  const named = (call: ProviderCall): AskedStep | undefined => {
    const { [call]: short, [`${call}Step` as const]: long } = steps
    const field = `steps.${call}Step`
    ensure(!short || !long, 'INVALID_INPUT', `The mock is not valid: ${field} stands there twice.`, {
      [field]: `stands there twice: as ${call} too`,
    })
    return short ?? long
  }
  const found = PROVIDER_CALLS.map(call => [call, named(call), steps[call] ? call : `${call}Step`] as const)
  return Object.fromEntries(
    found.flatMap(([call, step, name]) => (step ? [[call, stepOf(step, `steps.${name}`)]] : [])),
  )
}

const stepOf = ({ status, statusInfo, providerDetails, fault }: AskedStep, field: string): MockStep => ({
  ...(fault === undefined ? {} : { fault: faultOf(fault, `${field}.fault`) }),
  ...(status === undefined ? {} : { status }),
  ...(statusInfo === undefined ? {} : { statusInfo }),
  ...(providerDetails === undefined ? {} : { providerDetails: overridesOf(providerDetails) }),
})

/** What goes wrong on the way while the step is carried out, by the table of faults (7.4, D-87). */
const faultOf = (fault: NonNullable<AskedStep['fault']>, field: string): StepFault => {
  try {
    return readFault(fault)
  } catch (error) {
    if (!(error instanceof WishError)) throw error
    const { member, saying } = error
    const fields = { [`${field}.${member}`]: saying }
    throw new Refusal('INVALID_INPUT', 'operation', `The mock is not valid: ${field}.${error.message}`, { fields })
  }
}

const overridesOf = (data: NonNullable<MockRequest['data']>): MockOverrides => {
  const { providerTransactionId, redirectUrl, qrCode, registeredAt, expiresAt } = data
  return {
    ...(providerTransactionId === undefined ? {} : { providerTransactionId }),
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(qrCode === undefined ? {} : { qrCode }),
    ...(registeredAt === undefined ? {} : { registeredAt: instantOf(registeredAt) }),
    ...(expiresAt === undefined ? {} : { expiresAt: instantOf(expiresAt) }),
  }
}

/** ISO 8601 or epoch milliseconds (2.7). */
const instantOf = (time: string | number): number => (typeof time === 'number' ? time : Date.parse(time))
