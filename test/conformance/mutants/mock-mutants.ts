import { PROVIDER_OPERATIONS } from '../../../contracts/operations.ts'
import type { Mock } from '../../../simulator/providers/provider-mock.ts'
import type { Store } from '../../../simulator/store/store.ts'
import type { UnitOfWork } from '../../../simulator/store/unit-of-work.ts'
import type { Mutant, Mutation } from './mutant.ts'
import { isCallTo, refuseCalls } from './mutations-of-matching-calls.ts'
import { mutateJsonReply, mutateStore, mutateVerifiedBodyAt, mutateWriteSet } from './simulator-mutations.ts'

type Mocks = readonly Mock[]

/** A call that looks for mocks finds others than those that are kept for it. */
const finding = (change: (mocks: Mocks, unit: UnitOfWork<unknown>, store: Store) => Mocks | Promise<Mocks>): Mutation =>
  mutateStore((store, hits) => ({
    transact: async unit => {
      if (unit.needs.providerCall === undefined) return store.transact(unit)
      const look: UnitOfWork<Mocks> = { ...unit, decide: ({ mocks }) => ({ result: mocks }) }
      const before = await store.transact(look)
      const mocks = await change(before, unit, store)
      if (JSON.stringify(mocks) !== JSON.stringify(before)) hits.count += 1
      return store.transact({ ...unit, decide: loaded => unit.decide({ ...loaded, mocks }) })
    },
  }))

const forEach = (change: (mock: Mock, unit: UnitOfWork<unknown>) => Mock): Mutation =>
  finding((mocks, unit) => mocks.map(mock => change(mock, unit)))

/** A mock is kept otherwise than it was set; undefined: not at all. */
const keeping = (change: (mock: Mock) => Mock | undefined): Mutation =>
  mutateWriteSet(save => {
    if (!save.mock) return undefined
    const mock = change(save.mock)
    return mock === save.mock ? undefined : { ...save, mock }
  })

/** What was set first for a key stays. */
const firstStays = (): Mutation => {
  const known = new Set<string>()
  return keeping(mock => {
    const name = `${mock.processingAccountId} ${mock.key.type} ${mock.key.value}`
    if (known.has(name)) return undefined
    known.add(name)
    return mock
  })
}

/** Behind the newest mock of a key the one before it waits. */
const stacking: Mutation = (dataDir, hits) => {
  const set: Mock[] = []
  const before = ({ key }: Mock): Mocks => set.filter(mock => mock.key.value === key.value).slice(1)
  return mutateStore(store => ({
    transact: unit =>
      store.transact({
        ...unit,
        decide: loaded => {
          const waiting = loaded.mocks.flatMap(before)
          const { result, save } = unit.decide({ ...loaded, mocks: [...loaded.mocks, ...waiting] })
          hits.count += waiting.length
          if (save?.mock) set.unshift(save.mock)
          return { result, ...(save && { save }) }
        },
      }),
  }))(dataDir, hits)
}

const accountsOf = async (store: Store, { organizationId }: UnitOfWork<unknown>): Promise<readonly string[]> =>
  (await store.organization(organizationId))?.accountIds ?? []

const forEveryAccount = finding(async (mocks, unit, store) => {
  const accounts = await accountsOf(store, unit)
  return mocks.flatMap(mock => accounts.map(processingAccountId => ({ ...mock, processingAccountId })))
})

/** Mocks of every organization, as if each were for the caller's accounts. */
const ofEverybody = finding(async (mocks, unit, store) => {
  const accounts = await accountsOf(store, unit)
  const others = (await store.organizations()).filter(({ organizationId }) => organizationId !== unit.organizationId)
  const pages = await Promise.all(others.map(({ organizationId }) => store.mocks(organizationId, unit.now, 1000)))
  return [
    ...mocks,
    ...pages.flat().flatMap(mock => accounts.map(processingAccountId => ({ ...mock, processingAccountId }))),
  ]
})

/** A value that only begins like that of the mock will do. */
const byBeginning = forEach((mock, { needs }) => {
  const { type, value } = mock.key
  const asked = type === 'PAYER_ID' ? needs.mockKeys?.payerId : needs.mockKeys?.clientTransactionId
  return asked?.startsWith(value) ? { ...mock, key: { type, value: asked } } : mock
})

/** A mock for one kind of key is also found by the same text in the other place. */
const underBothKeys = (kept: Mock['key']['type']) =>
  forEach((mock, { needs }) => {
    const [type, other] =
      kept === 'PAYER_ID'
        ? (['CLIENT_TRANSACTION_ID', needs.mockKeys?.clientTransactionId] as const)
        : (['PAYER_ID', needs.mockKeys?.payerId] as const)
    return mock.key.type === kept && mock.key.value === other ? { ...mock, key: { type, value: other } } : mock
  })

const without = (type: Mock['key']['type']): Mutation => finding(mocks => mocks.filter(({ key }) => key.type !== type))

const usedUpAsAWhole = forEach(mock => (mock.used?.length ? { ...mock, used: PROVIDER_OPERATIONS } : mock))

const neverUsedUp = forEach(({ used: _, ...mock }) => mock)

const finalizeNeverUsedUp = forEach(({ used = [], ...mock }) => ({
  ...mock,
  used: used.filter(step => step !== 'finalize'),
}))

/** An override of initiate is lost on the way. */
const losing = (name: 'providerTransactionId' | 'redirectUrl' | 'registeredAt' | 'expiresAt'): Mutation =>
  keeping(mock => {
    const { initiate } = mock.steps
    if (initiate?.providerDetails?.[name] === undefined) return mock
    const { [name]: _, ...providerDetails } = initiate.providerDetails
    return { ...mock, steps: { ...mock.steps, initiate: { ...initiate, providerDetails } } }
  })

/** What a mock says of finalize is said at initiate as well. */
const spreading = keeping(mock => {
  const { initiate, finalize } = mock.steps
  if (initiate || !finalize) return mock
  const { providerDetails } = finalize
  return { ...mock, steps: { ...mock.steps, initiate: { ...(providerDetails && { providerDetails }) } } }
})

const setting = mutateVerifiedBodyAt('/mock/set')
const asMock = (body: string) => body.replace('"PASSTHROUGH"', '"MOCK"')

const redirecting = mutateJsonReply((body, _reply, { incoming }) => {
  const { redirectUrl, ...providerDetails } = (body.providerDetails ?? {}) as Record<string, unknown>
  if (incoming.url !== '/payments/initiate' || providerDetails.providerId !== 'IRIS' || redirectUrl) return undefined
  return { ...body, providerDetails: { ...providerDetails, redirectUrl: 'https://bank.example/' } }
})

const inOtherWords = mutateJsonReply(body =>
  body.status === 'ACCEPTED' && 'providerDetails' in body ? { ...body, status: 'PENDING' } : undefined,
)

const HOUR = 3_600_000

// biome-ignore format: a table reads by its columns
export const MOCK_MUTANTS: readonly Mutant[] = [
  { does: 'refuses to set mocks',                                   caughtBy: ['MCK-01'], stopsOthers: true, mutation: refuseCalls(isCallTo('/mock/set'), 'FORBIDDEN') },
  { does: 'finds no mock by its payer',                     caughtBy: ['MCK-03'], mutation: without('PAYER_ID') },
  { does: 'finds no mock by a reference',                   caughtBy: ['MCK-04', 'MCK-28'], mutation: without('CLIENT_TRANSACTION_ID') },
  { does: 'takes a reference for the payer of a mock',      caughtBy: ['MCK-28'], mutation: underBothKeys('PAYER_ID') },
  { does: 'takes a payer for the reference of a mock',      caughtBy: ['MCK-28'], mutation: underBothKeys('CLIENT_TRANSACTION_ID') },
  { does: 'matches mocks by prefix',   caughtBy: ['MCK-05'], mutation: byBeginning },
  { does: 'applies a mock to every account',           caughtBy: ['MCK-06'], mutation: forEveryAccount },
  { does: 'never uses up a mock',                           caughtBy: ['MCK-07'], mutation: neverUsedUp },
  { does: 'never uses up what a mock says of finalize',     caughtBy: ['MCK-27'], mutation: finalizeNeverUsedUp },
  { does: 'treats every mock as one-time',                           caughtBy: ['MCK-08'], mutation: setting(body => body.replace('"oneTime":false', '"oneTime":true')) },
  { does: 'treats a mock without oneTime as one-time', caughtBy: ['MCK-09'], mutation: setting(body => (body.includes('"oneTime"') ? body : body.replace('{', '{"oneTime":true,'))) },
  { does: 'expires a mock after 23 hours',                  caughtBy: ['MCK-10'], mutation: keeping(mock => ({ ...mock, expiresAt: mock.expiresAt - HOUR })) },
  { does: 'keeps a mock for 25 hours',                      caughtBy: ['MCK-11'], mutation: keeping(mock => ({ ...mock, expiresAt: mock.expiresAt + HOUR })) },
  { does: 'uses up every step of a mock with the first',    caughtBy: ['MCK-12'], mutation: usedUpAsAWhole },
  { does: 'ignores the providerTransactionId of a mock',       caughtBy: ['MCK-13'], mutation: losing('providerTransactionId') },
  { does: 'ignores the redirectUrl of a mock',              caughtBy: ['MCK-14'], mutation: losing('redirectUrl') },
  { does: 'ignores the registeredAt of a mock',             caughtBy: ['MCK-15'], mutation: losing('registeredAt') },
  { does: 'ignores the expiresAt of a mock',                   caughtBy: ['MCK-15'], mutation: losing('expiresAt') },
  { does: 'returns a redirectUrl for a mocked payment', caughtBy: ['MCK-16'], mutation: redirecting },
  { does: 'applies overrides to PASSTHROUGH',         caughtBy: ['MCK-17'], tier: '4', mutation: setting(body => (body.includes('"steps"') ? asMock(body) : body)) },
  { does: 'mocks a PASSTHROUGH response',               caughtBy: ['MCK-18'], tier: '4', mutation: setting(body => (body.includes('"steps"') ? body : asMock(body))) },
  { does: 'shows the overrides of one step at another',     caughtBy: ['MCK-22'], mutation: spreading },
  { does: 'says PENDING where a mock accepts',              caughtBy: ['MCK-23'], mutation: inOtherWords },
  { does: 'keeps the first mock of a key',                  caughtBy: ['MCK-25'], mutation: firstStays() },
  { does: 'falls back to the older mocks of a key',         caughtBy: ['MCK-25'], mutation: stacking },
  { does: "uses other merchants' mocks",                    caughtBy: ['MCK-26'], mutation: ofEverybody },
]
