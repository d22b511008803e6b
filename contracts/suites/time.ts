import { randomUUID } from 'node:crypto'
import { jsonOf } from '../client/exchange.ts'
import type { Check, Journey } from '../harness/check.ts'
import { Blocked } from '../harness/signals.ts'
import { on } from './acts.ts'
import { blikPayment, irisPayment } from './bodies.ts'
import { initiate, transactionIdOf } from './given.ts'
import type { Player } from './player.ts'
import { WITH_STATES } from './stages.ts'
import type { World } from './world.ts'

const NEEDS = ['control.url', 'secondOrganization.create', 'fields.initiate.transactionId']

type Step =
  | 'blik at 44 s'
  | 'blik after 45 s'
  | 'old code'
  | 'iris at 29 min'
  | 'iris after 30 min'
  | 'key first'
  | 'key at 23 h 59 min'
  | 'key after 24 h'
  | 'token just short'
  | 'token too old'

/** A token of this moment: the clock of this organization runs ahead of any that is kept. */
export const freshToken = async ({ merchant }: Player): Promise<{ token: string }> => {
  const exchange = await merchant.request('token', { form: merchant.tokenForm('payments:read payments:process') })
  const { access_token } = (jsonOf(exchange) ?? {}) as { access_token?: string }
  if (access_token) return { token: access_token }
  throw new Blocked('no fresh token was given', exchange)
}

/** Both sides of every limit in time (8, R6, R7), on an organization whose clock belongs to this journey alone. */
const limits: Journey<World, Step> = {
  name: 'limits in time',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const player = await world.traveller()
    const { merchant, operator, account } = player
    const start = async () => transactionIdOf(world.profile, await initiate(player, false))

    const early = await start()
    await operator.advance('PT44S')
    await operator.tryShopper(early, 'approve')
    await on(player, early).finalize()
    await keep('blik at 44 s', on(player, early).status())
    const late = await start()
    await operator.advance('PT46S')
    await keep('blik after 45 s', on(player, late).status())
    const code = await operator.oneTimeCode()
    await operator.advance('PT121S')
    await keep('old code', merchant.request('initiate', { json: blikPayment(account, code) }))

    const iris = transactionIdOf(world.profile, await merchant.request('initiate', { json: irisPayment(account) }))
    await operator.advance('PT29M')
    await keep('iris at 29 min', on(player, iris).status())
    await operator.advance('PT61S')
    await keep('iris after 30 min', on(player, iris).status())

    const bearer = await freshToken(player)
    await operator.advance('PT1H59M50S')
    await keep('token just short', merchant.request('status', { path: { transactionId: early } }, bearer))
    await operator.advance('PT11S')
    await keep('token too old', merchant.request('status', { path: { transactionId: early } }, bearer))

    const keyed = { json: irisPayment(account), idempotencyKey: randomUUID() }
    await keep('key first', merchant.request('initiate', keyed, await freshToken(player)))
    await operator.advance('PT23H59M')
    await keep('key at 23 h 59 min', merchant.request('initiate', keyed, await freshToken(player)))
    await operator.advance('PT2M')
    await keep('key after 24 h', merchant.request('initiate', keyed, await freshToken(player)))
  },
  checks: [
    stage('BLK-05', 'R6', 'a confirmation at 44 s still counts', 'blik at 44 s', 'authorized'),
    reason('BLK-03', 'R6, 7.5', 'a shopper silent for more than 45 s: 2000', 'blik after 45 s', '2000'),
    {
      id: 'BLK-04',
      clause: 'R6, 7.5',
      title: 'a code older than 120 s: 4000',
      control: 'VAL-01',
      needs: ['fields.initiate.reasonCode'],
      judge: (evidence, expect) => {
        expect.code(evidence.of('old code'), 'initiate.reasonCode', '4000')
      },
    },
    stage('IRS-07', 'R7', 'an untouched request is alive at 29 minutes', 'iris at 29 min', 'waiting'),
    reason('IRS-03', 'R7, 7.5', 'an untouched request dies after 30 minutes: 2000', 'iris after 30 min', '2000'),
    {
      id: 'TOK-19',
      clause: '8',
      title: 'a token just short of 7200 s still works',
      control: 'TOK-01',
      judge: (evidence, expect) => expect.served(evidence.of('token just short')),
    },
    {
      id: 'TOK-18',
      clause: '7.3, 8',
      title: 'a token past 7200 s: 401 and 4061',
      control: 'TOK-19',
      judge: (evidence, expect) => expect.refused(evidence.of('token too old'), { status: 401, code: '4061' }),
    },
    {
      id: 'IDM-22',
      clause: '8',
      title: 'a key 23 h 59 min old still replays',
      control: 'IDM-08',
      judge: (evidence, expect) => {
        expect.served(evidence.of('key at 23 h 59 min'))
        const [first, again] = [evidence.of('key first'), evidence.of('key at 23 h 59 min')]
        const id = expect.field(first, 'initiate.transactionId')
        expect.equal('transactionId', expect.field(again, 'initiate.transactionId'), id, again)
      },
    },
    {
      id: 'IDM-23',
      clause: '8',
      title: 'a key more than 24 h old is new',
      basis: 'assumed',
      decisions: ['D-21'],
      control: 'IDM-22',
      judge: (evidence, expect) => {
        const [first, later] = [evidence.of('key first'), evidence.of('key after 24 h')]
        expect.served(later)
        const [one, two] = [first, later].map(exchange => expect.field(exchange, 'initiate.transactionId'))
        expect.holds(one !== two, 'another transactionId', `${two} again`, later)
      },
    },
  ],
}

function stage(id: string, clause: string, title: string, step: Step, category: string): Check<Step> {
  return {
    id,
    clause,
    title,
    control: 'LIF-01',
    ...WITH_STATES,
    judge: (evidence, expect) => expect.category(evidence.of(step), category),
  }
}

function reason(id: string, clause: string, title: string, step: Step, expected: string): Check<Step> {
  return {
    id,
    clause,
    title,
    control: 'LIF-01',
    needs: ['fields.status.reasonCode'],
    judge: (evidence, expect) => {
      expect.served(evidence.of(step))
      expect.equal(
        'reasonCode',
        String(expect.field(evidence.of(step), 'status.reasonCode')),
        expected,
        evidence.of(step),
      )
    },
  }
}

export const time = [limits]
