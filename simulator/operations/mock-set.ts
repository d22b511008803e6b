import type { components } from '../../contracts/openapi.gen.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import { PROVIDER_CALLS, type ProviderCall } from '../providers/faults.ts'
import type { Mock, MockOverrides, MockStep } from '../providers/mock.ts'
import { ensure } from '../refusal.ts'
import type { Operation } from './operation.ts'

type MockRequest = components['schemas']['MockRequest']
type AskedStep = components['schemas']['MockStep']

/** Keeps a mock for 24 hours; a newer one of the same account and key takes its place (2.7, E3, D-80). */
export const mockSet: Operation<MockRequest> = (request, { accountIds, now }) => {
  const { processingAccountId, key, type, scenario, oneTime = false, data } = request
  ensure(
    accountIds.includes(processingAccountId),
    'FORBIDDEN',
    'The processing account is not one of this organization.',
  )
  ensureKept(request)
  const mock: Mock = {
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
  return { answer: '', mock }
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
  const found = PROVIDER_CALLS.map(call => [call, named(call)] as const)
  return Object.fromEntries(found.flatMap(([call, step]) => (step ? [[call, stepOf(step)]] : [])))
}

const stepOf = ({ status, statusInfo, providerDetails }: AskedStep): MockStep => ({
  ...(status === undefined ? {} : { status }),
  ...(statusInfo === undefined ? {} : { statusInfo }),
  ...(providerDetails === undefined ? {} : { providerDetails: overridesOf(providerDetails) }),
})

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
