import type { Clock } from '../clock.ts'
import { mockOf } from '../operations/mock-set.ts'
import type { Mock } from '../providers/mock.ts'
import { Refusal } from '../refusal.ts'
import type { Catalogue } from '../scenarios/catalogue.ts'
import type { Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'

type Parts = { store: Store; clock: Clock; scenarios: Catalogue }

export const MOCK_MEMBERS = ['processingAccountId', 'key', 'type', 'scenario', 'oneTime'] as const
type Wanted = Partial<Record<(typeof MOCK_MEMBERS)[number], unknown>>

const KEYS = ['PAYER_ID', 'CLIENT_TRANSACTION_ID'] as const
const TYPES = ['MOCK', 'PASSTHROUGH'] as const
const NAME = /^[A-Z][A-Z0-9_]{0,63}$/

/** What mocks there are, and one more by the name of its scenario: the contract's /mock/set takes single steps too (2.7). */
export const createMocks = ({ store, clock, scenarios }: Parts) => ({
  /** Newest first. */
  list: (organizationId: string) => store.mocks(organizationId, clock.now(organizationId)),

  set: async (organizationId: string, wanted: Wanted): Promise<Mock> => {
    const now = clock.now(organizationId)
    const { accountIds = [] } = (await store.organization(organizationId)) ?? {}
    const mock = judged(() => mockOf(read(wanted), { accountIds, now, scenarios }))
    await store.perform({ organizationId, now, needs: {}, decide: () => ({ result: undefined, save: { mock } }) })
    return mock
  },
})

const read = ({ processingAccountId, key, type, scenario, oneTime = false }: Wanted) => {
  const { type: keyType, value } = (key ?? {}) as { type?: unknown; value?: unknown }
  if (typeof processingAccountId !== 'string') throw wrong('processingAccountId', 'is missing: give an account')
  if (typeof value !== 'string' || value === '' || value.length > 255)
    throw wrong('key.value', 'must be a text of 1 to 255 characters')
  if (typeof scenario !== 'string' || !NAME.test(scenario)) throw wrong('scenario', 'must be a name of the catalogue')
  if (typeof oneTime !== 'boolean') throw wrong('oneTime', 'must be true or false')
  const keyed = { type: oneOf('key.type', keyType, KEYS), value }
  return { processingAccountId, key: keyed, type: oneOf('type', type, TYPES), scenario, oneTime }
}

const oneOf = <Word extends string>(member: string, given: unknown, words: readonly Word[]): Word => {
  const found = words.find(word => word === given)
  if (found) return found
  throw wrong(member, `must be one of ${words.join(', ')}`)
}

const wrong = (member: string, why: string): OperatorError => new OperatorError('invalid', `${member} ${why}.`)

/** A refusal of the contract says what is wrong with the wish too. */
const judged = (judge: () => Mock): Mock => {
  try {
    return judge()
  } catch (error) {
    throw error instanceof Refusal ? new OperatorError('invalid', error.message) : error
  }
}
