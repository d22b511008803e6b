import { randomUUID } from 'node:crypto'
import { type Exchange, jsonOf } from '../client/exchange.ts'
import type { Check, Journey } from '../harness/check.ts'
import type { Evidence } from '../harness/evidence.ts'
import type { Expect } from '../harness/expect.ts'
import { Inconclusive } from '../harness/signals.ts'
import { reasonCodeOf } from '../harness/slots.ts'
import { FAMILIES, REFUSALS } from '../protocol/reason-codes.ts'
import { withHeader, withOneCharacterChanged } from './alter.ts'
import { askToken } from './vehicles.ts'
import type { World } from './world.ts'

export const WITH_CODES = { needs: ['errors.reasonCode'] }

const STATUSES: readonly number[] = Object.values(REFUSALS).map(({ http }) => http)

type Step = 'unknown path' | 'wrong method' | 'not there' | 'two faults' | 'no token' | 'malformed'

type Seen = Pick<Evidence<never>, 'transcript'>

/** Judges every exchange of the run that a rule is about; a run without one tells nothing. */
export const every = (
  evidence: Seen,
  what: string,
  isMeant: (status: number, exchange: Exchange) => boolean,
  judge: (exchange: Exchange) => void,
): void => {
  const meant = evidence.transcript.filter(exchange => exchange.answer && isMeant(exchange.answer.status, exchange))
  if (meant.length === 0) throw new Inconclusive(`the run has seen no ${what}`)
  for (const exchange of meant) judge(exchange)
}

/** Each answer with one of these statuses carries a code of this family (7.2). */
export const familyOf =
  (statuses: readonly number[], families: readonly string[]) =>
  (evidence: Seen, expect: Expect): void =>
    every(
      evidence,
      `answer with ${statuses.join(' or ')}`,
      status => statuses.includes(status),
      exchange => {
        const code = reasonCodeOf(expect.profile, exchange)
        const fits = families.some(family => code?.startsWith(family) && (code.length === 4 || family.length === 4))
        expect.holds(fits, `a code of ${families.join(' or ')}`, expect.told(exchange), exchange)
      },
    )

const isRefusal = (evidence: Evidence<Step>) => {
  const besides = [evidence.of('unknown path'), evidence.of('wrong method')]
  return (status: number, exchange: Exchange): boolean =>
    status >= 400 && status !== 413 && status !== 429 && !besides.includes(exchange)
}

const seen: Journey<World, Step> = {
  name: 'what the refusals of the run have in common',
  tier: 1,
  play: async (world, keep) => {
    const { merchant } = world
    const token = await merchant.tokenFor()
    const path = { transactionId: randomUUID() }
    await keep('unknown path', merchant.send({ method: 'GET', path: '/payments/no/such/endpoint', token }))
    await keep('wrong method', merchant.send({ method: 'GET', path: '/payments/refund', token }))
    await keep('not there', merchant.request('status', { path }))
    const spoiled = { afterSigning: withHeader('signature', old => withOneCharacterChanged(old)) }
    await keep('two faults', merchant.request('status', { path }, spoiled))
    await keep('no token', merchant.request('status', { path }, { token: null }))
    await keep('malformed', askToken(world, undefined, { grant_type: 'none' }))
  },
  checks: [
    {
      id: 'ERR-01',
      clause: '7',
      title: 'every refusal of the run carries a reasonCode',
      ...WITH_CODES,
      judge: (evidence, expect) =>
        every(evidence, 'refusal', isRefusal(evidence), exchange =>
          expect.holds(
            reasonCodeOf(expect.profile, exchange) !== undefined,
            'a reasonCode',
            expect.told(exchange),
            exchange,
          ),
        ),
    },
    {
      id: 'ERR-02',
      clause: '7.2',
      title: 'every reasonCode of the run has four digits and a family of 7.2',
      ...WITH_CODES,
      judge: (evidence, expect) =>
        every(
          evidence,
          'reasonCode',
          (status, exchange) => status >= 400 && reasonCodeOf(expect.profile, exchange) !== undefined,
          exchange => {
            const code = reasonCodeOf(expect.profile, exchange) ?? ''
            expect.holds(
              /^\d{4}$/.test(code) && (code[0] ?? '') in FAMILIES,
              'four digits, family of 7.2',
              code,
              exchange,
            )
          },
        ),
    },
    {
      id: 'ERR-03',
      clause: '7',
      title: 'no answer but a decline carries the code of an error beside a success',
      basis: 'assumed',
      decisions: ['D-03', 'D-06', 'D-07'],
      ...WITH_CODES,
      judge: (evidence, expect) =>
        every(
          evidence,
          'success',
          status => status < 300,
          exchange => {
            const { status } = (jsonOf(exchange) ?? {}) as { status?: unknown }
            const code = reasonCodeOf(expect.profile, exchange) ?? '-1'
            expect.holds(
              status === 'DECLINED' || !/^\d{4}$/.test(code),
              'no code of an error',
              `${status} with ${code}`,
              exchange,
            )
          },
        ),
    },
    {
      id: 'ERR-06',
      clause: '7.2, 7.3',
      title: 'every 401 of the run is 4xxx, every 403 4xxx or 6xxx',
      ...WITH_CODES,
      judge: (evidence, expect) => {
        familyOf([401], ['4'])(evidence, expect)
        if (evidence.transcript.some(({ answer }) => answer?.status === 403))
          familyOf([403], ['4', '6'])(evidence, expect)
      },
    },
    {
      id: 'ERR-07',
      clause: '7.2, 7.4.1',
      title: 'every 400 of the run is 4xxx',
      ...WITH_CODES,
      judge: familyOf([400], ['4']),
    },
    {
      id: 'ERR-12',
      clause: '4',
      title: 'every refusal of the run is JSON',
      judge: (evidence, expect) =>
        every(evidence, 'refusal', isRefusal(evidence), exchange => void expect.json(exchange)),
    },
    {
      id: 'ERR-13',
      clause: '7.1',
      title: 'every refusal of the run has a status of the table',
      judge: (evidence, expect) =>
        every(evidence, 'refusal', isRefusal(evidence), exchange =>
          expect.holds(
            STATUSES.includes(exchange.answer?.status ?? 0),
            'a status of 7.1',
            expect.told(exchange),
            exchange,
          ),
        ),
    },
    {
      id: 'ERR-15',
      clause: '7.1',
      title: 'an unknown path: 404',
      basis: 'assumed',
      decisions: ['D-14'],
      control: 'MTLS-01',
      judge: (evidence, expect) => expect.refused(evidence.of('unknown path'), { status: 404 }),
    },
    {
      id: 'ERR-16',
      clause: '4',
      title: 'a wrong method on a known path: 404 or 405',
      basis: 'assumed',
      decisions: ['D-14'],
      control: 'MTLS-01',
      judge: (evidence, expect) => expect.refused(evidence.of('wrong method'), { status: [404, 405] }),
    },
    {
      id: 'ERR-18',
      clause: '5, 7.1',
      title: 'of several faults that of authentication is told',
      control: 'MTLS-01',
      judge: (evidence, expect) => {
        expect.refused(evidence.of('not there'), { status: 404 })
        expect.refused(evidence.of('two faults'), { status: 401 })
        expect.refused(evidence.of('no token'), { status: 401 })
      },
    },
    {
      id: 'ERR-21',
      clause: '7.1',
      title: 'nothing that was sent before any fault was asked for drew a 500',
      judge: (evidence, expect) =>
        every(
          evidence,
          'answer',
          () => true,
          exchange => expect.holds(exchange.answer?.status !== 500, 'no 500', expect.told(exchange), exchange),
        ),
    },
  ] satisfies Check<Step>[],
}

/** Judged over the whole transcript; it is played before any fault is asked for. */
export const errors = [seen]
