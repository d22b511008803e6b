import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/exchange.ts'
import type { Alterations } from '../client/send.ts'
import type { Check, Journey } from '../harness/check.ts'
import type { Evidence } from '../harness/evidence.ts'
import type { Expect } from '../harness/expect.ts'
import { PROVIDER_CODES } from '../protocol/provider-codes.ts'
import { blikPayment, captureOf, edit, irisPayment } from './bodies.ts'
import { authorized } from './given.ts'
import { isReplay } from './idempotency.ts'
import { NEEDS } from './stages.ts'
import { familyOf, familyOfAny, WITH_CODES } from './transcript.ts'
import type { World } from './world.ts'

const CODES = PROVIDER_CODES.map((row, index) => ({ ...row, id: `MAP-${String(index + 1).padStart(2, '0')}` }))

/** A provider that declines: the code may show in the answer or in the refusal (S44). */
const mapping: Journey<World> = {
  name: 'what providers say when a payment begins',
  tier: 3,
  needs: ['control.url', 'fields.initiate.reasonCode'],
  play: async (world, keep, chosen) => {
    const { merchant, operator, account } = world
    for (const { id, provider, code } of CODES) {
      if (!chosen.has(id)) continue
      const json = provider === 'BLIK' ? blikPayment(account, await operator.oneTimeCode()) : irisPayment(account)
      await operator.arm({ operation: 'initiate', kind: 'decline', code })
      await keep(id, merchant.request('initiate', { json }))
    }
  },
  checks: CODES.map(({ id, provider, code, reasonCode }) => ({
    id,
    clause: '7.5',
    title: `the code ${code} of ${provider} comes as ${reasonCode}`,
    control: provider === 'BLIK' ? 'VAL-01' : 'VAL-02',
    judge: (evidence, expect) => {
      expect.code(evidence.of(id), 'initiate.reasonCode', reasonCode)
    },
  })),
}

const ONCE = ['internal', 'error', 'silent', 'locked'] as const
type Fault = (typeof ONCE)[number]
type Step = Fault | `${Fault} again` | `${Fault} third` | `${Fault} events` | 'conflict' | 'lifecycle' | 'unsupported'

const ARMED = {
  internal: { kind: 'internal' },
  error: { kind: 'error' },
  silent: { kind: 'timeout', done: 'yes' },
  locked: { kind: 'locked' },
} as const

const PART = 400

/** Calls that meet a fault, each sent again under its key (7.4). */
const retried: Journey<World, Step> = {
  name: 'faults, and what a retry finds',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const { merchant, operator, account, profile } = world
    for (const fault of ONCE) {
      const transactionId = await authorized(profile, world)
      const json = captureOf(account, transactionId, PART)
      const send = (idempotencyKey: string, body: object = json, alter: Alterations = {}) =>
        merchant.request('capture', { json: body, idempotencyKey }, alter)
      const key = randomUUID()
      await operator.arm({ operation: 'capture', ...ARMED[fault] })
      await keep(fault, send(key, json, fault === 'locked' ? { retry: [429] } : {}))
      await keep(`${fault} again`, send(key))
      await keep(`${fault} third`, send(key))
      if (fault === 'locked') await keep('conflict', send(key, { ...json, clientTransactionId: 'another' }))
      await keep(`${fault} events`, merchant.request('events', { path: { transactionId } }))
      if (fault === 'locked') {
        await send(randomUUID(), captureOf(account, transactionId, 1000 - PART))
        await keep('lifecycle', send(randomUUID()))
      }
    }
    const recurring = edit(irisPayment(account), 'transactionType', 'RECURRING')
    await keep('unsupported', merchant.request('initiate', { json: recurring }))
  },
  checks: [
    {
      id: 'IDM-37',
      clause: '7.1, 7.4.2',
      title: 'after 500 and after 502 the same key completes exactly once',
      control: 'LIF-01',
      needs: ['fields.events.captured'],
      judge: (evidence, expect) => {
        expect.holds(
          statusOf(evidence.of('internal')) === 500,
          'HTTP 500',
          expect.told(evidence.of('internal')),
          evidence.of('internal'),
        )
        expect.holds(
          statusOf(evidence.of('error')) === 502,
          'HTTP 502',
          expect.told(evidence.of('error')),
          evidence.of('error'),
        )
        for (const fault of ['internal', 'error'] as const) takenOnce(evidence, expect, fault)
      },
    },
    {
      id: 'IDM-38',
      clause: '7.4.4',
      title: 'after 504 the same key gives the stored answer, and it happened once',
      control: 'LIF-01',
      needs: ['fields.events.captured'],
      judge: (evidence, expect) => {
        expect.holds(
          statusOf(evidence.of('silent')) === 504,
          'HTTP 504',
          expect.told(evidence.of('silent')),
          evidence.of('silent'),
        )
        takenOnce(evidence, expect, 'silent')
      },
    },
    {
      id: 'ERR-20',
      clause: '7.1',
      title: 'after 423 a retry is served',
      control: 'LIF-01',
      judge: (evidence, expect) => {
        expect.refused(evidence.of('locked'), { status: 423 })
        expect.served(evidence.of('locked again'))
      },
    },
    {
      id: 'ERR-19',
      clause: '1, 7.1',
      title: 'an operation that the scheme lacks: 501',
      ...assumed('D-37'),
      control: 'VAL-02',
      judge: (evidence, expect) =>
        expect.refused(evidence.of('unsupported'), { status: 501, without: 'initiate.transactionId' }),
    },
    {
      id: 'ERR-04',
      clause: 'I4, 7.1',
      title: 'every 409 of the run is 3xxx, or 5xxx where it tells of a state',
      control: 'IDM-15',
      ...WITH_CODES,
      judge: (evidence, expect) => {
        const isAboutKey = isConflict(evidence)
        familyOf([409], ['3'], isAboutKey)(evidence, expect)
        familyOfAny([409], ['3', '5'], exchange => !isAboutKey(exchange))(evidence, expect)
      },
    },
    seen(
      'ERR-05',
      'R5',
      'every 422 of a lifecycle rule in the run is 5xxx',
      [422],
      ['5'],
      { control: 'LIF-07' },
      isAct,
    ),
    seen('ERR-09', '7.1, 7.3', 'every 501 of the run is 8003', [501], ['8003'], {
      ...assumed('D-09'),
      control: 'ERR-19',
    }),
    seen('ERR-10', '7.2', 'every 502 and 504 of the run is 8xxx', [502, 504], ['8'], assumed('D-10')),
    seen('ERR-11', '7.2', 'every 500 of the run is 9xxx', [500], ['9'], assumed('D-10')),
  ],
}

/** A 409 may tell of a state as well (7.1): only a key that came before with another payload is one of keys. */
const isConflict =
  ({ transcript }: Pick<Evidence<Step>, 'transcript'>) =>
  (exchange: Exchange): boolean => {
    const [key, text] = [keyOf(exchange), textOf(exchange)]
    const earlier = transcript.slice(0, transcript.indexOf(exchange))
    return key !== undefined && earlier.some(it => keyOf(it) === key && textOf(it) !== text)
  }

const keyOf = ({ request }: Exchange) => request.headers['idempotency-key']
const textOf = ({ request }: Exchange) => Buffer.from(request.body ?? []).toString('utf8')

/** A decline may be told by a 422 too: only what is done to a payment breaks rules of its life (S44). */
function isAct({ request: { endpoint } }: Exchange): boolean {
  return endpoint === 'capture' || endpoint === 'cancel' || endpoint === 'refund'
}

/** What must hold of all answers with a status; the journey has made at least one of each. */
function seen(
  id: string,
  clause: string,
  title: string,
  statuses: readonly number[],
  families: readonly string[],
  more: Partial<Check<Step>> = {},
  isMeant?: (exchange: Exchange) => boolean,
): Check<Step> {
  const judge = familyOf(statuses, families, isMeant)
  return { id, clause, title, ...WITH_CODES, ...more, judge }
}

function assumed(decision: string): Partial<Check<Step>> {
  return { basis: 'assumed', decisions: [decision] }
}

const takenOnce = (evidence: Evidence<Step>, expect: Expect, fault: Fault): void => {
  expect.served(evidence.of(`${fault} again`))
  isReplay(evidence.of(`${fault} third`), evidence.of(`${fault} again`), expect)
  const events = evidence.of(`${fault} events`)
  expect.equal('captured sum', expect.field(events, 'events.captured'), PART, events)
}

const statusOf = ({ answer }: Exchange): number | undefined => answer?.status

/** Providers that say no, fail, or fall silent; only a control address can ask them to (S05). */
export const providerFaults = [mapping, retried]
