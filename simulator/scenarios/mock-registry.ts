import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { MOCK_KEY_TYPES, MOCK_TYPES, type Mock } from '../providers/provider-mock.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError, requireOneOf } from '../support/control-error.ts'
import { describeValue } from '../support/invalid-member-error.ts'
import { Refusal } from '../support/refusal.ts'
import { createMock } from './read-mock-request.ts'
import type { ScenarioCatalogue } from './scenario-catalogue.ts'

type Parts = { store: Store; clock: Clock; scenarios: ScenarioCatalogue }

/** Names of the members that a request to set a mock over control may have. */
export const MOCK_MEMBERS = ['processingAccountId', 'key', 'type', 'scenario', 'oneTime'] as const
type MockInput = Partial<Record<(typeof MOCK_MEMBERS)[number], unknown>>

const NAME = /^[A-Z][A-Z0-9_]{0,63}$/

/** Creates the registry of mocks: lists them, and sets a mock by its scenario's name; /mock/set can do more (2.7). */
export const createMockRegistry = ({ store, clock, scenarios }: Parts) => ({
  /** Unexpired mocks, newest first, at most as many as any list has. */
  list: (organizationId: string) => store.mocks(organizationId, clock.now(organizationId), 1000),

  set: async (organizationId: string, wanted: MockInput): Promise<Mock> => {
    const now = clock.now(organizationId)
    const { accountIds = [] } = (await store.organization(organizationId)) ?? {}
    const rules = { scenarios, choices: decisionChoices() } // control reports its own errors
    const mock = withInputErrors(() => createMock(readInput(wanted), { accountIds, now, ...rules }))
    await store.transact({ organizationId, now, needs: {}, decide: () => ({ result: undefined, save: { mock } }) })
    return mock
  },
})

const readInput = ({ processingAccountId, key, type, scenario, oneTime = false }: MockInput) => {
  const { type: keyType, value, ...others } = (key ?? {}) as { type?: unknown; value?: unknown }
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw wrong(`key.${unknown.slice(0, 40)}`, 'is not known: give type and value')
  if (typeof processingAccountId !== 'string')
    throw wrong('processingAccountId', `is ${describeValue(processingAccountId)}: give an account`)
  if (typeof value !== 'string' || value === '' || value.length > 255)
    throw wrong('key.value', 'must be a text of 1 to 255 characters')
  if (typeof scenario !== 'string' || !NAME.test(scenario))
    throw wrong('scenario', `is ${describeValue(scenario)}: GET /control/scenarios lists the names`)
  if (typeof oneTime !== 'boolean') throw wrong('oneTime', 'must be true or false')
  const keyed = { type: requireOneOf('key.type', keyType, MOCK_KEY_TYPES), value }
  return { processingAccountId, key: keyed, type: requireOneOf('type', type, MOCK_TYPES), scenario, oneTime }
}

const wrong = (member: string, why: string): ControlError => new ControlError('invalid', `${member} ${why}.`)

/** Turns a Refusal of the contract into an error of the input with the same message. */
const withInputErrors = (create: () => Mock): Mock => {
  try {
    return create()
  } catch (error) {
    throw error instanceof Refusal ? new ControlError('invalid', error.message) : error
  }
}
