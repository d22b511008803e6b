import { expect, test } from 'vitest'
import type { Reply } from '../../simulator/store/unit-of-work.ts'
import { certifyMutant } from './mutants/certify-mutant.ts'
import { RUN_TIMEOUT } from './mutants/expect-mutant-caught.ts'
import type { Mutant } from './mutants/mutant.ts'
import { MUTANTS } from './mutants/mutants-outside-grids.ts'
import {
  bodyTextOf,
  isCallTo,
  replaceReplies,
  requestHeader,
  withFreshState,
} from './mutants/mutations-of-matching-calls.ts'
import { mutateReply } from './mutants/simulator-mutations.ts'

const done = () => ({ http: 200, body: '{"status":"APPROVED"}' })

/** Mutation: gives the first response under an Idempotency-Key to every organization that sends the key. */
const sharingResponses = withFreshState(() => {
  const first = new Map<string, Reply>()
  return mutateReply((reply, call) => {
    const key = requestHeader(call, 'idempotency-key')
    if (!isCallTo('/payments/initiate')(call) || reply.http >= 300) return undefined
    const known = first.get(key)
    first.set(key, known ?? reply)
    return known
  })
})

/** Mutation: a search finds what initiate has refused with 403. */
const findingForbidden = withFreshState(() => {
  const refused = new Set<string>()
  return mutateReply((reply, call) => {
    const [, clientTransactionId] = /"clientTransactionId":"([^"]*)"/.exec(bodyTextOf(call)) ?? []
    if (clientTransactionId === undefined) return undefined
    if (isCallTo('/payments/initiate')(call) && reply.http === 403) refused.add(clientTransactionId)
    const isFound = isCallTo('/payments/search')(call) && refused.has(clientTransactionId)
    return isFound ? { http: 200, body: '{"payments":[{"transactionId":"x"}]}' } : undefined
  })
})

const ofThese = (does: string): Mutant => {
  const found = MUTANTS.find(mutant => mutant.does === does)
  if (!found) throw new Error(`There is no mutant that ${does}.`)
  return found
}

const grantingScopes = {
  does: 'grants every scope',
  caughtBy: [],
  mutation: replaceReplies((_call, { http, body }) => http === 403 && body.includes('"4971"'), done),
}
const refundingTwice = {
  does: 'refunds what is refunded',
  caughtBy: [],
  mutation: replaceReplies((call, { http }) => http === 422 && isCallTo('/payments/refund')(call), done),
}
const payingForbidden = { does: 'makes the payment that it refuses', caughtBy: [], mutation: findingForbidden }
const mixing = { does: "shows another merchant's response", caughtBy: [], mutation: sharingResponses }

/** Assumed checks whose core the document states: isolation (7.1), sums (R5), certificate, token, signature, scope (5). */
// biome-ignore format: a table reads by its columns
const VIOLATIONS: [id: string, mutant: Mutant, verdict: 'fail' | 'differs'][] = [
  ['IDM-32',  mixing,                                                        'fail'],
  ['IDM-40',  ofThese('accepts calls without verifying signatures'),         'fail'],
  ['LIF-15',  ofThese('refunds more than it has captured'),                  'fail'],
  ['LIF-18',  refundingTwice,                                                'fail'],
  ['MCK-26',  ofThese("uses other merchants' mocks"),                        'fail'],
  ['MTLS-11', ofThese('accepts the key of a certificate as signing key'),    'fail'],
  ['RDS-05',  ofThese('does not check which organization owns a payment'),   'fail'],
  ['RDS-11',  ofThese("finds other organizations' payments"),                    'fail'],
  ['SCP-01',  grantingScopes,                                                'fail'],
  ['SCP-05',  grantingScopes,                                                'differs'],
  ['SCP-06',  grantingScopes,                                                'fail'],
  ['SCP-12',  payingForbidden,                                               'fail'],
  ['SCP-12',  ofThese('returns a payment where a search has no match'),      'differs'],
  ['RDS-11',  ofThese('returns a payment where a search has no match'),      'differs'],
  ['SIG-32',  ofThese('accepts calls without verifying signatures'),                   'fail'],
  ['TOK-12',  ofThese('accepts any client_id'),                              'fail'],
  ['TOK-13',  ofThese('grants unknown scopes'),                              'fail'],
  ['IDM-32',  ofThese('shares idempotency keys between merchants'),          'differs'],
  ['IDM-40',  ofThese('stores 403 under the key'),                           'differs'],
  ['LIF-18',  ofThese('returns 400 for a forbidden state transition'),       'differs'],
  ['SIG-25',  ofThese('accepts calls without verifying signatures'),         'differs'],
  ['TOK-06',  ofThese('grants a scope that nobody has asked for'),           'differs'],
  ['TOK-06',  ofThese('grants data:reports to who processes payments'),      'fail'],
  ['SCP-05',  ofThese('says 4970 where a scope is missing'),                 'differs'],
  ['SCP-06',  ofThese('says 4970 where a scope is missing'),                 'differs'],
]

test.each(VIOLATIONS.map(([id, mutant, verdict]) => [id, mutant.does, verdict, mutant] as const))(
  '%s by a service that %s, with no decision confirmed: %s',
  async (id, _does, verdict, mutant) => {
    const { profile = given => given } = mutant
    const unconfirmed: typeof profile = given => ({ ...profile(given), confirmed: [] })
    const { results } = await certifyMutant({ ...mutant, profile: unconfirmed }, [id])
    expect(results.find(result => result.id === id)).toMatchObject({ verdict })
  },
  RUN_TIMEOUT,
)
