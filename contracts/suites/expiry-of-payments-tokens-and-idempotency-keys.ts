import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/http-exchange.ts'
import { stopwatch } from '../client/wall-clock.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import type { TestOrganization } from './context/test-organization.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { fetchToken } from './given/harmless-calls.ts'
import { operationsOn } from './given/payment-operations.ts'
import { anyPayment, initiate, preparePayment, readTransactionId } from './given/payments.ts'
import { readStatusUntil } from './given/read-until.ts'

const NEEDS_ID = ['fields.initiate.transactionId']
const ENDED = ['declined', 'expired', 'canceled']

/** Returns an ISO 8601 duration of whole seconds, which leaves out what calls have already taken. */
const lessElapsed = (seconds: number, elapsed: () => number): string =>
  `PT${Math.max(1, seconds - Math.ceil((3 * elapsed()) / 1000 - ROUNDING))}S`

/** Calls that take less than this together, in seconds, do not count: clocks of a simulator stand almost still. */
const ROUNDING = 0.9

/** Expects a payment that has ended to say why, in its status (7.5). */
const expectTimeout = (evidence: { of(step: 'late'): Exchange }, expect: Expect): void => {
  const late = evidence.of('late')
  expect.served(late)
  expect.equal('reasonCode', String(expect.field(late, 'status.reasonCode')), '2000', late)
}

const confirmedInTime: CheckScenario<CheckContext, 'in time'> = {
  name: 'a shopper of BLIK at the last second',
  tier: 3,
  // Only a simulator's shopper acts at a given second.
  needs: ['control.url', ...NEEDS_ID],
  play: async ({ profile, organizationForTime }, keep) => {
    const organization = await organizationForTime()
    const elapsed = stopwatch()
    const initiated = await initiate(organization, { method: 'BLIK' })
    const transactionId = readTransactionId(profile, initiated)
    await organization.clock.pass(lessElapsed(44, elapsed))
    await organization.control.tryShopper(transactionId, 'approve')
    await operationsOn(organization, transactionId).finalize()
    const stages = ['authorized', 'captured', 'settled', ...ENDED]
    await keep('in time', readStatusUntil(profile, organization, transactionId, stages))
  },
  checks: [
    {
      id: 'BLK-05',
      clause: 'R6',
      title: 'a confirmation at 44 s still counts',
      control: 'LIF-01',
      ...WITH_STATES,
      judge: (evidence, expect) => expect.inCategory(evidence.of('in time'), 'authorized', 'captured', 'settled'),
    },
  ],
}

/** Waits once for both: the payment is read after 46 s, the code is used after 121 s. */
const blik: CheckScenario<CheckContext, 'late' | 'old code'> = {
  name: 'time limits of BLIK',
  tier: 3,
  needs: NEEDS_ID,
  play: async ({ profile, organizationForTime }, keep, chosen) => {
    const organization = await organizationForTime()
    const json = chosen.has('BLK-04') ? await prepareFreshCode(profile, organization) : undefined
    const initiated = chosen.has('BLK-03') ? await initiate(organization, { method: 'BLIK', will: 'lapse' }) : undefined
    await organization.clock.pass('PT46S')
    if (initiated)
      await keep('late', readStatusUntil(profile, organization, readTransactionId(profile, initiated), ENDED))
    if (!json) return
    await organization.clock.pass('PT75S')
    await keep('old code', organization.merchant.request('initiate', { json }))
  },
  checks: [
    {
      id: 'BLK-03',
      clause: 'R6, 7.5',
      title: 'a shopper silent for more than 45 s: 2000',
      control: 'LIF-01',
      needs: ['blik.lapse', 'time.PT46S', 'fields.status.reasonCode'],
      judge: expectTimeout,
    },
    {
      id: 'BLK-04',
      clause: 'R6, 7.5',
      title: 'a code older than 120 s: 4000',
      control: 'VAL-01',
      needs: ['blik.code', 'time.PT121S', 'fields.initiate.reasonCode'],
      judge: (evidence, expect) => expect.code(evidence.of('old code'), 'initiate.reasonCode', '4000'),
    },
  ],
}

/** Returns the body of a BLIK payment with a code that nobody has used; throws Untestable for a fixed test code. */
const prepareFreshCode = async (profile: Profile, organization: TestOrganization) => {
  const json = await preparePayment(organization, { method: 'BLIK', will: 'wait' })
  if (!Object.values(profile.shopper?.codes ?? {}).some(code => code === json.payerDetails.oneTimeCode)) return json
  throw new Untestable('a test code of shopper.codes does not age: only a simulator or a person gives new ones')
}

/** Waits once for both: the payment is read after 29 minutes and again after 30. */
const iris: CheckScenario<CheckContext, 'in time' | 'late'> = {
  name: 'time limits of IRIS',
  tier: 3,
  needs: ['time.PT29M', ...NEEDS_ID],
  play: async ({ profile, organizationForTime }, keep, chosen) => {
    const organization = await organizationForTime()
    const initiated = await initiate(organization, { method: 'IRIS', will: 'wait' })
    const transactionId = readTransactionId(profile, initiated)
    await organization.clock.pass('PT29M')
    await keep('in time', operationsOn(organization, transactionId).status())
    if (!chosen.has('IRS-03')) return
    await organization.clock.pass('PT61S')
    await keep('late', readStatusUntil(profile, organization, transactionId, ENDED))
  },
  checks: [
    {
      id: 'IRS-07',
      clause: 'R7',
      title: 'an untouched request is alive at 29 minutes',
      control: 'VAL-02',
      ...WITH_STATES,
      judge: (evidence, expect) => expect.inCategory(evidence.of('in time'), 'waiting'),
    },
    {
      id: 'IRS-03',
      clause: 'R7, 7.5',
      title: 'an untouched request dies after 30 minutes: 2000',
      control: 'VAL-02',
      needs: ['time.PT1801S', 'fields.status.reasonCode'],
      judge: expectTimeout,
    },
  ],
}

type TokenStep = 'just short' | 'too old'

const tokens: CheckScenario<CheckContext, TokenStep> = {
  name: 'how long a token lasts',
  tier: 3,
  needs: ['time.PT2H', ...NEEDS_ID],
  play: async ({ profile, organizationForTime }, keep) => {
    const organization = await organizationForTime()
    const json = await anyPayment(profile, organization)
    const path = {
      transactionId: readTransactionId(profile, await organization.merchant.request('initiate', { json })),
    }
    const elapsed = stopwatch()
    const bearer = await fetchToken(organization)
    const read = () => organization.merchant.request('status', { path }, bearer)
    await organization.clock.pass(lessElapsed(LIFETIME - MARGIN, elapsed))
    await keep('just short', read())
    const late = Math.ceil((3 * elapsed()) / 1000)
    await organization.clock.pass(`PT${MARGIN + 1 + (profile.control ? late : 0)}S`)
    await keep('too old', read())
  },
  checks: [
    {
      id: 'TOK-19',
      clause: '8',
      title: 'a token just short of 7200 s still works',
      control: 'TOK-01',
      judge: (evidence, expect) => expect.served(evidence.of('just short')),
    },
    {
      id: 'TOK-18',
      clause: '7.3, 8',
      title: 'a token past 7200 s: 401 and 4061',
      control: 'TOK-19',
      judge: (evidence, expect) => expect.refused(evidence.of('too old'), { status: 401, code: '4061' }),
    },
  ],
}

/** Lifetime of a token, and how long before its end it is tried, in seconds (8). */
const [LIFETIME, MARGIN] = [7200, 10]

type KeyStep = 'first' | 'at 23 h 59 min' | 'after 24 h'

const keys: CheckScenario<CheckContext, KeyStep> = {
  name: 'how long a key lasts',
  tier: 3,
  needs: ['time.PT24H', ...NEEDS_ID],
  play: async ({ profile, organizationForTime }, keep) => {
    const organization = await organizationForTime()
    const keyed = { json: await anyPayment(profile, organization), idempotencyKey: randomUUID() }
    const send = async () => organization.merchant.request('initiate', keyed, await fetchToken(organization))
    await keep('first', send())
    await organization.clock.pass('PT23H59M')
    await keep('at 23 h 59 min', send())
    await organization.clock.pass('PT2M')
    await keep('after 24 h', send())
  },
  checks: [
    {
      id: 'IDM-22',
      clause: '8',
      title: 'a key 23 h 59 min old still replays',
      control: 'IDM-08',
      judge: (evidence, expect) => {
        const again = evidence.of('at 23 h 59 min')
        expectPremise(evidence.of('first'), 'first', expect)
        expect.served(again)
        const [one, two] = [evidence.of('first'), again].map(it => String(expect.field(it, 'initiate.transactionId')))
        expect.equal('transactionId', two, one, again)
      },
    },
    {
      id: 'IDM-23',
      clause: '8',
      title: 'a key more than 24 h old is new',
      ...assumed('D-21'),
      control: 'IDM-22',
      judge: (evidence, expect) => {
        const later = evidence.of('after 24 h')
        expect.served(later)
        const [one, two] = [evidence.of('first'), later].map(it => String(expect.field(it, 'initiate.transactionId')))
        expect.holds(one !== two, 'another transactionId', `${two} again`, later)
      },
    },
  ],
}

/** Checks that BLIK and IRIS payments, access tokens and idempotency keys expire on time, not before (8, R6, R7). */
export const expiryOfPaymentsTokensAndIdempotencyKeys = [confirmedInTime, blik, iris, tokens, keys]
