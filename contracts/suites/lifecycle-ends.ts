import type { Exchange } from '../client/exchange.ts'
import type { Journey } from '../harness/check.ts'
import type { Expect } from '../harness/expect.ts'
import { on } from './acts.ts'
import { authorized, consented, isNotThere, settle, settled, unknownId } from './given.ts'
import { byHand } from './lifecycle.ts'
import { NEEDS, refusal, WITH_STATES } from './stages.ts'
import type { World } from './world.ts'

type AtOnce = 'finalize' | 'status' | 'capture' | 'by hand' | 'not captured' | 'capture by hand'

const atOnce: Journey<World, AtOnce> = {
  name: 'a payment captured by finalize',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const payment = on(world, await consented(world.profile, world, true))
    await keep('finalize', payment.finalize())
    await keep('status', payment.status())
    await keep('capture', payment.capture())
    const other = on(world, await consented(world.profile, world, false))
    await keep('by hand', other.finalize())
    await keep('not captured', other.status())
    await keep('capture by hand', other.capture())
  },
  checks: [
    {
      id: 'LIF-02',
      clause: '2.1, 3',
      title: 'with autoCapture true, finalize captures as well',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expect.served(evidence.of('finalize'))
        expect.category(evidence.of('status'), 'captured', 'settled')
      },
    },
    refusal('LIF-14', '3, R5', 'a capture after the automatic one: 422 with 5xxx', 'LIF-02', 'capture'),
    {
      id: 'LIF-04',
      clause: '3',
      title: 'with autoCapture false, finalize does not capture',
      control: 'LIF-02',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expect.served(evidence.of('by hand'))
        expect.category(evidence.of('not captured'), 'authorized')
      },
    },
  ],
}

type Voided = 'cancel' | 'status' | 'cancel again' | 'later'

const voided: Journey<World, Voided> = {
  name: 'an authorization that is voided',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const payment = on(world, await authorized(world.profile, world))
    await keep('cancel', payment.cancel())
    await keep('status', payment.status())
    await keep('cancel again', payment.cancel())
    await settle(world.profile, world)
    await keep('later', payment.status())
  },
  checks: [
    {
      id: 'LIF-09',
      clause: 'R2',
      title: 'cancel voids an authorization that was not captured',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expect.served(evidence.of('cancel'))
        expect.category(evidence.of('status'), 'canceled')
      },
    },
    {
      id: 'LIF-20',
      clause: '3',
      title: 'a second cancel',
      basis: 'assumed',
      observes: true,
      judge: (evidence, expect) => expect.told(evidence.of('cancel again')),
    },
    {
      id: 'LIF-23',
      clause: '3',
      title: 'an end never changes afterwards',
      basis: 'assumed',
      decisions: ['D-05'],
      control: 'LIF-09',
      ...WITH_STATES,
      judge: (evidence, expect) => expect.category(evidence.of('later'), 'canceled'),
    },
  ],
}

const tooLate: Journey<World, 'cancel' | 'capture' | 'capture in time'> = {
  name: 'a capture of what was voided',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const payment = on(world, await authorized(world.profile, world))
    await keep('cancel', payment.cancel())
    await keep('capture', payment.capture())
    await keep('capture in time', on(world, await authorized(world.profile, world)).capture())
  },
  checks: [
    {
      id: 'LIF-12',
      clause: 'R2, R5',
      title: 'a capture after the cancel: 422 with 5xxx',
      control: 'LIF-09',
      judge: (evidence, expect) => {
        expect.served(evidence.of('cancel'))
        expect.refused(evidence.of('capture'), { status: 422, code: '5' })
      },
    },
  ],
}

type Parts = 'capture part' | 'refund too much' | 'refund part'

const parts: Journey<World, Parts> = {
  name: 'captures and refunds in part',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    await keep('capture part', on(world, await authorized(world.profile, world)).capture(400))
    const payment = on(world, await settled(world.profile, world))
    await keep('refund too much', payment.refund(1001))
    await keep('refund part', payment.refund(400))
  },
  checks: [
    {
      id: 'LIF-17',
      clause: '1, 7.1',
      title: 'a partial capture is accepted, or refused with 501',
      control: 'LIF-01',
      judge: (evidence, expect) => servedOrUnsupported(evidence.of('capture part'), expect),
    },
    {
      id: 'LIF-16',
      clause: '1, 7.1',
      title: 'a partial refund is accepted, or refused with 501',
      control: 'LIF-08',
      judge: (evidence, expect) => servedOrUnsupported(evidence.of('refund part'), expect),
    },
    {
      id: 'LIF-15',
      clause: 'R5',
      title: 'a refund above what was captured is refused',
      basis: 'assumed',
      decisions: ['D-41'],
      control: 'LIF-08',
      judge: (evidence, expect) => expect.refused(evidence.of('refund too much')),
    },
  ],
}

const servedOrUnsupported = (exchange: Exchange, expect: Expect): void => {
  if (expect.answered(exchange).status !== 501) expect.served(exchange)
}

const ACTS = ['capture', 'cancel', 'refund'] as const

const notTheirs: Journey<World, `${(typeof ACTS)[number]} ${'unknown' | 'foreign' | 'by their account'}`> = {
  name: 'acts on a payment that is not there, or not theirs',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep, chosen) => {
    for (const act of ACTS) await keep(`${act} unknown`, on(world, unknownId(world.profile))[act]())
    if (!chosen.has('LIF-28')) return
    const { account } = await world.second()
    const transactionId = await world.given.foreignPayment()
    for (const act of ACTS) await keep(`${act} foreign`, on(world, transactionId)[act]())
    for (const act of ACTS) await keep(`${act} by their account`, on({ ...world, account }, transactionId)[act]())
  },
  checks: [
    {
      id: 'LIF-27',
      clause: '7.1',
      title: 'capture, cancel and refund of an unknown payment: 404',
      tier: 2,
      control: 'LIF-08',
      judge: (evidence, expect) => {
        for (const act of ACTS) isNotThere(evidence.of(`${act} unknown`), expect)
      },
    },
    {
      id: 'LIF-28',
      clause: '7.1',
      title: "capture, cancel and refund of another merchant's payment: 404",
      control: 'LIF-08',
      needs: ['secondOrganization'],
      judge: (evidence, expect) => {
        for (const act of ACTS) {
          expect.refused(evidence.of(`${act} foreign`), { status: 404 })
          // The account is somebody else's as well, and either may be told. A 422 would tell how their payment stands.
          expect.refused(evidence.of(`${act} by their account`), { status: [400, 403, 404] })
        }
      },
    },
  ],
}

/** What may follow what (3, R1 to R5). */
export const lifecycle = [voided, byHand, atOnce, tooLate, parts, notTheirs]
