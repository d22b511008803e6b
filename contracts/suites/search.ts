import { randomUUID } from 'node:crypto'
import type { EndpointName } from '../client/endpoints.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Journey } from '../harness/check.ts'
import { Blocked } from '../harness/signals.ts'
import { irisPayment } from './bodies.ts'
import type { Player } from './player.ts'
import type { World } from './world.ts'

const FOUND = { needs: ['fields.search.list', 'fields.search.transactionId'] }
const BY_SEARCH = { basis: 'assumed', decisions: ['D-73'] } as const

/** What a search by the merchant's own reference sends (2.1, 8). */
const searchFor = ({ merchant }: Player, clientTransactionId: string): Promise<Exchange> =>
  merchant.request('search', { json: { clientTransactionId } })

/** The same read under one key, first with one body, then with another (E1). */
const twiceUnderOneKey = async ({ merchant }: World, endpoint: EndpointName, bodies: [object, object]) => {
  const headers = { 'idempotency-key': randomUUID() }
  await merchant.request(endpoint, { json: bodies[0], headers })
  return merchant.request(endpoint, { json: bodies[1], headers })
}

type Finding = 'nothing' | 'keyed search' | 'providers' | 'providers of a country' | 'keyed providers'

/** Search and the list of providers, on whatever is there already. */
const finding: Journey<World, Finding> = {
  name: 'search and providers',
  tier: 1,
  play: async (world, keep) => {
    const nobodys = { clientTransactionId: `nobody-${randomUUID()}` }
    await keep('nothing', searchFor(world, nobodys.clientTransactionId))
    await keep(
      'keyed search',
      twiceUnderOneKey(world, 'search', [nobodys, { clientTransactionId: `nobody-${randomUUID()}` }]),
    )
    await keep('providers', world.merchant.request('providers', { json: {} }))
    await keep('providers of a country', world.merchant.request('providers', { json: { country: 'GR' } }))
    await keep('keyed providers', twiceUnderOneKey(world, 'providers', [{ country: 'PL' }, { country: 'GR' }]))
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
      title: 'the list of providers holds BLIK and IRIS',
      basis: 'assumed',
      decisions: ['D-77'],
      needs: ['fields.providers.list', 'fields.providers.providerId'],
      judge: (evidence, expect) => {
        expect.served(evidence.of('providers'))
        const ids = expect.items(evidence.of('providers'), 'providers.list', 'providers.providerId')
        expect.holds(ids.includes('BLIK') && ids.includes('IRIS'), 'BLIK and IRIS', ids, evidence.of('providers'))
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
        if (expect.answered(plain).status >= 300)
          throw new Blocked('a call of providers for one country is refused without a key as well', plain)
        expect.served(evidence.of('keyed providers'))
      },
    },
  ],
}

/** Payments that are looked for as soon as they are there, or are not to be there at all. */
const found: Journey<World, 'initiated' | 'found' | 'forbidden' | 'left behind'> = {
  name: 'finding what was initiated',
  tier: 3,
  play: async (world, keep) => {
    const payment = irisPayment(world.account)
    await keep('initiated', world.merchant.request('initiate', { json: payment }))
    await keep('found', searchFor(world, payment.clientTransactionId))
    const unwanted = irisPayment(world.account)
    await keep('forbidden', world.merchant.request('initiate', { json: unwanted, scope: 'payments:read' }))
    await keep('left behind', searchFor(world, unwanted.clientTransactionId))
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
        expect.equal('payments', ids, [id], evidence.of('found'))
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

const foreign: Journey<World, 'own' | 'foreign'> = {
  name: "searching another merchant's payments",
  tier: 3,
  needs: ['secondOrganization'],
  play: async (world, keep) => {
    const second = await world.second()
    const payment = irisPayment(second.account)
    await second.merchant.request('initiate', { json: payment })
    await keep('own', searchFor(second, payment.clientTransactionId))
    await keep('foreign', searchFor(world, payment.clientTransactionId))
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

export const searches = [finding, found, foreign]
