import { randomUUID } from 'node:crypto'
import { type Exchange, isServed } from '../client/http-exchange.ts'
import { valueAtPointer } from '../dialect/json-pointer.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import { offersMethod } from '../harness/profile/capabilities-that-checks-need.ts'
import { untakenReason } from '../harness/profile/create-request-dialect.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { PROVIDER_IDS } from '../protocol/providers-and-capabilities.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectKeyIgnored } from './evidence/expect-key-ignored.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { findStep } from './evidence/expect-refused-or-declined.ts'
import { preparePayment } from './given/create-payments.ts'
import { searchFor } from './given/harmless-calls.ts'
import { readUntil } from './given/read-until.ts'
import { uniqueReference } from './given/request-bodies.ts'

const FOUND = { needs: ['fields.search.list', 'fields.search.transactionId'] }
const BY_SEARCH = assumed('D-73')

type SearchStep =
  | 'nothing'
  | 'keyed search'
  | 'providers'
  | 'providers of a country'
  | 'keyed before'
  | 'keyed providers'
  | 'providers of a country again'

/** Calls search and providers without creating a payment. */
const searching: CheckScenario<CheckContext, SearchStep> = {
  name: 'search and providers',
  tier: 1,
  play: async (context, keep) => {
    const { merchant } = context
    const nobodys = { clientTransactionId: uniqueReference() }
    await keep('nothing', searchFor(context, nobodys.clientTransactionId))
    const headers = { 'idempotency-key': randomUUID() }
    await merchant.request('search', { json: nobodys, headers })
    await keep(
      'keyed search',
      merchant.request('search', { json: { clientTransactionId: uniqueReference() }, headers }),
    )
    await keep('providers', merchant.request('providers', { json: {} }))
    const key = { headers: { 'idempotency-key': randomUUID() } }
    const providersOf = (country: string, more = {}) => merchant.request('providers', { json: { country }, ...more })
    await keep('providers of a country', providersOf('GR'))
    await keep('keyed before', providersOf('PL', key))
    await keep('keyed providers', providersOf('GR', key))
    await keep('providers of a country again', providersOf('GR'))
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
        expect.equal('list', findPayments(evidence, 'nothing', expect), [], evidence.of('nothing'))
      },
    },
    {
      id: 'RDS-12',
      clause: '1, 4',
      title: 'the list of providers holds BLIK and IRIS',
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
      judge: (evidence, expect) => {
        expectPremise(evidence.of('nothing'), 'a search without a key', expect)
        expect.served(evidence.of('keyed search'))
      },
    },
    {
      id: 'IDM-25',
      clause: 'E1',
      exempt: profile => untakenReason(profile, 'providers', 'country'),
      title: 'providers takes no notice of Idempotency-Key in the same way',
      judge: (evidence, expect) => {
        const plain = [evidence.of('providers of a country'), evidence.of('providers of a country again')] as const
        expectPremise(plain[0], 'providers of a country without a key', expect)
        expectKeyIgnored(evidence.of('keyed providers'), { earlier: evidence.of('keyed before'), plain }, expect)
      },
    },
  ],
}

/** Searches for a payment right after initiate, and for one whose initiate was refused. */
const found: CheckScenario<CheckContext, 'initiated' | 'found' | 'forbidden' | 'nothing' | 'left behind'> = {
  name: 'finding what was initiated',
  tier: 3,
  play: async (context, keep) => {
    const payment = await preparePayment(context, { will: 'wait' })
    const initiated = await keep('initiated', context.merchant.request('initiate', { json: payment }))
    const isFound = showsPayment(context.profile, initiated)
    const search = () => searchFor(context, payment.clientTransactionId)
    await keep('found', readUntil(context.profile, search, isFound, context))
    const unwanted = await preparePayment(context, { will: 'wait' })
    await keep('forbidden', context.merchant.request('initiate', { json: unwanted, scope: 'payments:read' }))
    await keep('nothing', searchFor(context, uniqueReference()))
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
        expectPremise(evidence.of('initiated'), 'initiate', expect)
        const id = String(expect.field(evidence.of('initiated'), 'initiate.transactionId'))
        expect.served(evidence.of('found'))
        const ids = expect.items(evidence.of('found'), 'search.list', 'search.transactionId').map(String)
        if (!ids.includes(id)) expect.maybeLater(`no payment ${id} in a search`, evidence.of('found'))
        expect.holds(ids.includes(id), `payments with ${id}`, ids, evidence.of('found'))
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
        expect.refused(evidence.of('forbidden'), { status: 403, core: true })
        const [always, found] = [findIds(evidence, 'nothing', expect), findIds(evidence, 'left behind', expect)]
        const made = found.filter(id => !always.includes(id))
        expect.specified(() => expect.equal('payments', made, [], evidence.of('left behind')))
        expect.equal('payments', found, [], evidence.of('left behind'))
      },
    },
  ],
}

const foreign: CheckScenario<CheckContext, 'initiated' | 'own' | 'foreign' | 'of whatever'> = {
  name: "searching another merchant's payments",
  tier: 3,
  needs: ['secondOrganization'],
  play: async (context, keep) => {
    const second = await context.secondOrganization()
    const payment = await preparePayment(second, { will: 'wait' })
    const initiated = await keep('initiated', second.merchant.request('initiate', { json: payment }))
    const search = () => searchFor(second, payment.clientTransactionId)
    await keep('own', readUntil(context.profile, search, showsPayment(context.profile, initiated), context))
    await keep('foreign', searchFor(context, payment.clientTransactionId))
    await keep('of whatever', context.merchant.request('search', { json: {} }))
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
        expectPremise(evidence.of('initiated'), 'initiate', expect)
        const own = expect.items(evidence.of('own'), 'search.list', 'search.transactionId')
        const ofWhatever = findStep(evidence, 'of whatever')
        if (ofWhatever && Array.isArray(findField(expect.profile, ofWhatever, 'search.list')))
          expectNone(own, evidence, 'of whatever', expect)
        if (expect.response(evidence.of('foreign')).status === 404) return
        const foreign = expectNone(own, evidence, 'foreign', expect)
        if (own.length === 0) expect.maybeLater('no payment that the owner finds', evidence.of('own'))
        expect.equal('payments that the owner finds', own.length, 1, evidence.of('own'))
        expect.equal('payments that the other finds', foreign.length, 0, evidence.of('foreign'))
      },
    },
  ],
}

/** Expects a search to show none of the payments of another merchant; returns the ids of those that it shows. */
function expectNone<Step extends string>(theirs: unknown[], evidence: Evidence<Step>, step: Step, expect: Expect) {
  const found = findIds(evidence, step, expect)
  const shown = found.filter(id => id !== undefined && theirs.includes(id))
  expect.specified(() => expect.equal('payments of another that are shown', shown, [], evidence.of(step)))
  return found
}

/** Returns what a search found; a list that is left out is empty, once the run has seen the list in another search. */
function findPayments<Step extends string>(evidence: Evidence<Step>, step: Step, expect: Expect): unknown[] {
  const search = evidence.of(step)
  const listOf = (exchange: Exchange) => findField(expect.profile, exchange, 'search.list')
  const isShown = evidence.transcript.some(it => it.request.endpoint === 'search' && Array.isArray(listOf(it)))
  expect.response(search)
  if (isServed(search) && isShown && listOf(search) === undefined) return []
  const list = expect.field(search, 'search.list')
  if (Array.isArray(list)) return list
  throw new Untestable(`fields.search.list points at no list: correct it in ${expect.profile.file}`, search)
}

/** Returns the transaction ids of the payments that a search found. */
function findIds<Step extends string>(evidence: Evidence<Step>, step: Step, expect: Expect): unknown[] {
  const found = findPayments(evidence, step, expect)
  return found.length === 0 ? [] : expect.items(evidence.of(step), 'search.list', 'search.transactionId')
}

/** Whether a search shows the payment of an initiate; also where either cannot be read, for which no searching on helps. */
const showsPayment = (profile: Profile, initiated: Exchange) => (search: Exchange) => {
  const id = findField(profile, initiated, 'initiate.transactionId')
  const { search: fields } = profile.fields ?? {}
  if (id === undefined || fields?.list === undefined || fields.transactionId === undefined) return true
  const list = findField(profile, search, 'search.list')
  const pointer = fields.transactionId
  return Array.isArray(list) && list.some(item => String(valueAtPointer(item, pointer)) === String(id))
}

/**
 * Scenarios with checks of the endpoints that search payments and list providers (4, 8, E1); one that finds something
 * comes first.
 */
export const searchAndProviders = [found, searching, foreign]
