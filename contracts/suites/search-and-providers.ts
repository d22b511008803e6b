import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import { offersMethod } from '../harness/profile/missing-capability-reason.ts'
import type { OperationName } from '../operations.ts'
import { PROVIDER_IDS } from '../protocol/providers.ts'
import type { CheckContext } from './context/check-context.ts'
import type { TestOrganization } from './context/test-organization.ts'
import { anyPayment } from './given/payments.ts'

const FOUND = { needs: ['fields.search.list', 'fields.search.transactionId'] }
const BY_SEARCH = assumed('D-73')

/** Searches by clientTransactionId (2.1, 8). */
const searchFor = ({ merchant }: TestOrganization, clientTransactionId: string): Promise<Exchange> =>
  merchant.request('search', { json: { clientTransactionId } })

/** Calls a read endpoint twice under one Idempotency-Key with different bodies; returns the second exchange (E1). */
const twiceUnderOneKey = async ({ merchant }: CheckContext, endpoint: OperationName, bodies: [object, object]) => {
  const headers = { 'idempotency-key': randomUUID() }
  await merchant.request(endpoint, { json: bodies[0], headers })
  return merchant.request(endpoint, { json: bodies[1], headers })
}

type SearchStep = 'nothing' | 'keyed search' | 'providers' | 'providers of a country' | 'keyed providers'

/** Calls search and providers without creating a payment. */
const searching: CheckScenario<CheckContext, SearchStep> = {
  name: 'search and providers',
  tier: 1,
  play: async (context, keep) => {
    const nobodys = { clientTransactionId: `nobody-${randomUUID()}` }
    await keep('nothing', searchFor(context, nobodys.clientTransactionId))
    await keep(
      'keyed search',
      twiceUnderOneKey(context, 'search', [nobodys, { clientTransactionId: `nobody-${randomUUID()}` }]),
    )
    await keep('providers', context.merchant.request('providers', { json: {} }))
    await keep('providers of a country', context.merchant.request('providers', { json: { country: 'GR' } }))
    await keep('keyed providers', twiceUnderOneKey(context, 'providers', [{ country: 'PL' }, { country: 'GR' }]))
  },
  checks: [
    {
      id: 'RDS-10',
      clause: '4',
      title: 'a search for nothing known is empty, and no error',
      ...BY_SEARCH,
      needs: ['fields.search.list'],
      judge: (evidence, expect) => {
        expect.served(evidence.of('nothing'))
        expect.equal('list', expect.field(evidence.of('nothing'), 'search.list'), [], evidence.of('nothing'))
      },
    },
    {
      id: 'RDS-12',
      clause: '1, 4',
      title: 'the list of providers holds BLIK and IRIS, as far as they are offered',
      ...assumed('D-77'),
      needs: ['fields.providers.list', 'fields.providers.providerId'],
      judge: (evidence, expect) => {
        expect.served(evidence.of('providers'))
        const ids = expect.items(evidence.of('providers'), 'providers.list', 'providers.providerId')
        const offered = PROVIDER_IDS.filter(id => offersMethod(expect.profile, id))
        const all = offered.every(id => ids.includes(id))
        expect.holds(all, offered.join(' and '), ids, evidence.of('providers'))
      },
    },
    {
      id: 'IDM-24',
      clause: 'E1',
      title: 'search takes no notice of Idempotency-Key: one key, two bodies, both served',
      control: 'RDS-10',
      judge: (evidence, expect) => expect.served(evidence.of('keyed search')),
    },
    {
      id: 'IDM-25',
      clause: 'E1',
      title: 'providers takes no notice of Idempotency-Key in the same way',
      control: 'RDS-12',
      judge: (evidence, expect) => {
        const plain = evidence.of('providers of a country')
        if (expect.response(plain).status >= 300)
          throw new Blocked('a call of providers for one country is refused without a key as well', plain)
        expect.served(evidence.of('keyed providers'))
      },
    },
  ],
}

/** Searches for a payment right after initiate, and for one whose initiate was refused. */
const found: CheckScenario<CheckContext, 'initiated' | 'found' | 'forbidden' | 'left behind'> = {
  name: 'finding what was initiated',
  tier: 3,
  play: async (context, keep) => {
    const payment = await anyPayment(context)
    await keep('initiated', context.merchant.request('initiate', { json: payment }))
    await keep('found', searchFor(context, payment.clientTransactionId))
    const unwanted = await anyPayment(context)
    await keep('forbidden', context.merchant.request('initiate', { json: unwanted, scope: 'payments:read' }))
    await keep('left behind', searchFor(context, unwanted.clientTransactionId))
  },
  checks: [
    {
      id: 'RDS-09',
      clause: '2.1, 8',
      title: 'a search finds a payment by its clientTransactionId',
      ...BY_SEARCH,
      needs: ['fields.initiate.transactionId', ...FOUND.needs],
      judge: (evidence, expect) => {
        const id = expect.field(evidence.of('initiated'), 'initiate.transactionId')
        expect.served(evidence.of('found'))
        const ids = expect.items(evidence.of('found'), 'search.list', 'search.transactionId')
        expect.equalText('payments', ids, [id], evidence.of('found'))
      },
    },
    {
      id: 'SCP-12',
      clause: '5',
      title: 'a 403 on initiate leaves no payment behind',
      ...BY_SEARCH,
      control: 'RDS-09',
      ...FOUND,
      judge: (evidence, expect) => {
        expect.refused(evidence.of('forbidden'), { status: 403 })
        const ids = expect.items(evidence.of('left behind'), 'search.list', 'search.transactionId')
        expect.equal('payments', ids, [], evidence.of('left behind'))
      },
    },
  ],
}

const foreign: CheckScenario<CheckContext, 'own' | 'foreign'> = {
  name: "searching another merchant's payments",
  tier: 3,
  needs: ['secondOrganization'],
  play: async (context, keep) => {
    const second = await context.secondOrganization()
    const payment = await anyPayment(second)
    await second.merchant.request('initiate', { json: payment })
    await keep('own', searchFor(second, payment.clientTransactionId))
    await keep('foreign', searchFor(context, payment.clientTransactionId))
  },
  checks: [
    {
      id: 'RDS-11',
      clause: '7.1',
      title: "a search never shows another merchant's payment",
      ...BY_SEARCH,
      control: 'RDS-09',
      ...FOUND,
      judge: (evidence, expect) => {
        const ids = (step: 'own' | 'foreign') =>
          expect.items(evidence.of(step), 'search.list', 'search.transactionId').length
        expect.equal('payments that the owner finds', ids('own'), 1, evidence.of('own'))
        expect.equal('payments that the other finds', ids('foreign'), 0, evidence.of('foreign'))
      },
    },
  ],
}

/** Checks of the endpoints that search payments and list providers (4, 8, E1). */
export const searchAndProviders = [searching, found, foreign]
