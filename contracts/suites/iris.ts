import type { Exchange } from '../client/exchange.ts'
import { stopwatch } from '../client/real-time.ts'
import { Blocked } from '../harness/signals.ts'
import { findField } from '../harness/slots.ts'
import { irisPayment } from './bodies.ts'
import { transactionIdOf } from './given.ts'
import { type Scene, staging } from './scene.ts'
import { NEEDS } from './stages.ts'
import type { World } from './world.ts'

const MINUTE = 60

/** A payment that asks to stay open so long; where it says so is the deployment's own (S38). */
const lasting = ({ merchant, account }: World, minutes: number): Promise<Exchange> =>
  merchant.request('initiate', { json: { ...irisPayment(account), validitySeconds: minutes * MINUTE } })

const WITH_VALIDITY = { control: 'VAL-02', needs: ['control.url', 'requests.initiate.validitySeconds'] }
const UNCLEAR = [5, 7, 31, 33] as const

/** What the shopper's browser gets where it was sent to. */
const open = async (url: string): Promise<Exchange> => {
  const elapsed = stopwatch()
  const signal = AbortSignal.timeout(10_000)
  const answer = await fetch(url, { redirect: 'manual', signal }).catch(() => undefined)
  if (!answer) throw new Blocked(`GET ${url} answered nothing: can this machine see the pages of shoppers?`)
  const location = answer.headers.get('location')
  const headers = { 'content-type': answer.headers.get('content-type') ?? '', ...(location && { location }) }
  const body = Buffer.from(await answer.arrayBuffer())
  const request = { method: 'GET', url, headers: {} }
  return { request, answer: { status: answer.status, headers, body }, durationMs: elapsed() }
}

const SCENES: Scene[] = [
  {
    id: 'IRS-02',
    clause: '2.1, E4',
    title: 'after paying, the shopper finds the way to returnUrl',
    tier: 4,
    control: 'VAL-02',
    needs: [...NEEDS, 'fields.initiate.redirectUrl'],
    play: async (world, keep) => {
      const { merchant, operator, account, profile } = world
      const initiated = await keep('initiated', merchant.request('initiate', { json: irisPayment(account) }))
      await operator.shopper(transactionIdOf(profile, initiated), 'approve')
      await keep('page', open(String(findField(profile, initiated, 'initiate.redirectUrl'))))
    },
    judge: (evidence, expect) => {
      const { returnUrl } = irisPayment('')
      const page = evidence.of('page')
      const { headers, body } = expect.answered(page)
      const leads = [headers.location ?? '', body.toString('utf8')].some(text => text.includes(returnUrl ?? '…'))
      expect.holds(leads, `a redirect or a link to ${returnUrl}`, expect.told(page), page)
    },
  },
  {
    id: 'IRS-06',
    clause: '7.5, 8',
    title: 'a validity of less than 8 or more than 33 minutes: 4000',
    ...WITH_VALIDITY,
    play: async (world, keep) => {
      await keep('fine', lasting(world, 20))
      await keep('short', lasting(world, 2))
      await keep('long', lasting(world, 40))
    },
    judge: (evidence, expect) => {
      expect.served(evidence.of('fine'))
      for (const step of ['short', 'long']) expect.code(evidence.of(step), 'initiate.reasonCode', '4000')
    },
  },
  {
    id: 'IRS-08',
    clause: 'R7, 7.5, 8',
    title: 'a validity of 5, 7, 31 and 33 minutes, of which the document says two things',
    basis: 'assumed',
    observes: true,
    ...WITH_VALIDITY,
    play: async (world, keep) => {
      for (const minutes of UNCLEAR) await keep(`${minutes}`, lasting(world, minutes))
    },
    judge: (evidence, expect) => UNCLEAR.map(it => `${it} min: ${expect.told(evidence.of(`${it}`))}`).join('; '),
  },
]

/** What only IRIS has: a page to come back from, and a time to stay open (E4, R7). */
export const iris = staging({ name: 'the page and the validity of IRIS', tier: 3 }, SCENES)
