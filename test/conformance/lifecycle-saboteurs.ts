import { at, instead, saying, telling, textOf } from './break.ts'
import { calling, type Saboteur } from './sabotage.ts'

const isStatus = at('status')

/** A state goes by the name of another. */
const naming = (from: string, to: string) =>
  telling(isStatus, body => {
    const { state, ...lifecycle } = (body.lifecycle ?? {}) as Record<string, unknown>
    return state === from ? { ...body, lifecycle: { ...lifecycle, state: to } } : undefined
  })

/** A reason in the status goes by the code of another. */
const explaining = (from: string, to: string) =>
  telling(isStatus, body => {
    const { reasonCode, ...statusInfo } = (body.statusInfo ?? {}) as Record<string, unknown>
    return reasonCode === from ? { ...body, statusInfo: { ...statusInfo, reasonCode: to } } : undefined
  })

/** Says no to an act, although it was done. */
const denying = (path: string, part = '') =>
  instead((call, { http }) => http < 300 && at(path)(call) && textOf(call).includes(part), saying(422, '5002'))

// biome-ignore format: a table reads by its columns
export const LIFECYCLE_SABOTEURS: readonly Saboteur[] = [
  { does: 'captures at once, whatever it was told',  caughtBy: ['LIF-01', 'LIF-04', 'LIF-09'], stopsOthers: true, sabotage: calling('/payments/initiate')(body => body.replace('"autoCapture":false', '"autoCapture":true')) },
  { does: 'captures nothing',                        caughtBy: ['LIF-01'], stopsOthers: true, sabotage: denying('/payments/capture') },
  { does: 'captures no part',                        caughtBy: ['ERR-20', 'IDM-37', 'IDM-38', 'IDM-39', 'LIF-17'], sabotage: denying('/payments/capture', '"amount":400') },
  { does: 'cancels nothing',                         caughtBy: ['LIF-09'], stopsOthers: true, sabotage: denying('/payments/cancel') },
  { does: 'refunds nothing',                         caughtBy: ['LIF-08'], sabotage: denying('/payments/refund') },
  { does: 'refunds no part',                         caughtBy: ['LIF-16'], sabotage: denying('/payments/refund', '"amount":400') },
  { does: 'refunds more than it has captured',       caughtBy: ['LIF-15', 'LIF-16'], sabotage: calling('/payments/refund')(body => body.replace('"amount":1001', '"amount":1000')) },
  { does: 'keeps calling a refunded payment settled', caughtBy: ['LIF-22'], sabotage: naming('REFUNDED', 'SETTLED') },
  { does: 'does not see that a payment is canceled', caughtBy: ['LIF-09'], sabotage: naming('CANCELED', 'AUTHORIZED') },
  { does: 'does not see what finalize has done',     caughtBy: ['BLK-01', 'BLK-05', 'IDM-04', 'IDM-05', 'LIF-04', 'LIF-22', 'LIF-25'], sabotage: naming('AUTHORIZED', 'AUTHENTICATED') },
  { does: 'does not see what a shopper has done',    caughtBy: ['IDM-02', 'IRS-05'], sabotage: naming('AUTHENTICATED', 'AWAITING_SHOPPER') },
  { does: 'calls a shopper who declines silent',     caughtBy: ['BLK-02', 'IRS-04'], sabotage: explaining('2001', '2000') },
  { does: 'calls a silent shopper one who declines', caughtBy: ['BLK-03', 'IRS-03'], sabotage: explaining('2000', '2001') },
  { does: 'lists the first event only',              caughtBy: ['RDS-07'], sabotage: telling(at('events'), body => (Array.isArray(body.timeline) ? { ...body, timeline: body.timeline.slice(0, 1) } : undefined)) },
  { does: 'calls acts on nothing a wrong time',      caughtBy: ['LIF-27', 'LIF-28'], sabotage: instead((call, { http }) => http === 404 && call.incoming.method === 'POST' && at('capture', 'cancel', 'refund')(call), saying(422, '5002')) },
  { does: 'says 4002 where a cancel comes too late', caughtBy: ['ERR-05', 'LIF-10'], sabotage: instead((call, { http }) => http === 422 && at('cancel')(call), saying(422, '4002')) },
]
