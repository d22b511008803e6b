import { money } from '../money.ts'
import type { Say, TextKey } from '../texts.ts'
import type { Lane, Mark, StateMark, TimelineView, WebhookMark } from './live-port.ts'
import { span } from './span.ts'

export const LANE_NAMES: Readonly<Record<Lane, TextKey>> = {
  clock: 'laneClock',
  shopper: 'laneShopper',
  call: 'laneCall',
  state: 'laneState',
  webhook: 'laneWebhook',
}

const WAYS = {
  advance: 'wayAdvance',
  next: 'wayNext',
  to: 'wayAdvance',
  drain: 'wayDrain',
  freeze: 'wayFreeze',
  real: 'wayReal',
  scale: 'wayScale',
} as const satisfies Record<string, TextKey>

const CLICKS: Readonly<Record<string, TextKey>> = {
  approve: 'clickApprove',
  decline: 'clickDecline',
  lapse: 'clickLapse',
}

/** A mark in so few words that they fit beside it. */
export const labelOf = (say: Say, mark: Mark): string => {
  switch (mark.lane) {
    case 'clock':
      return say(WAYS[mark.way], { time: span(mark.until - mark.at), rate: String(mark.rate) })
    case 'shopper': {
      const click = CLICKS[mark.action]
      return `${click ? say(click) : mark.action}${mark.late ? `: ${say('tooLate')}` : ''}`
    }
    case 'call':
      return `${mark.name}${mark.status >= 400 ? ` ${mark.status}` : ''}${mark.times ? ` × ${mark.times}` : ''}`
    case 'state':
      return stateWord(mark)
    case 'webhook':
      return `${mark.name.replace(/^PAYMENT_/, '')}${webhookEnd(say, mark)}`
  }
}

/** Where it led; an event that led nowhere, such as a refund that was declined, by its own name. */
const stateWord = ({ name, state, planned }: StateMark & { planned?: true }): string =>
  planned || !state || /-(declined|accepted)$/.test(name) ? name.replace(/^payment\./, '') : state

const webhookEnd = (say: Say, { status, error, nth, url }: WebhookMark): string => {
  if (url === undefined) return ''
  const came = status ?? (error === undefined ? '' : '✗')
  return `${came === '' ? '' : ` ${came}`}${nth !== undefined && nth > 1 ? `, ${say('nthTry', { nth: String(nth) })}` : ''}`
}

/** What there is to tell beyond the label, one fact after the other. */
export const factsOf = (say: Say, mark: Mark, { currency }: Pick<TimelineView, 'currency'>): string[] => {
  const facts = mark.planned ? [say('liveLater')] : []
  switch (mark.lane) {
    case 'clock':
      return mark.ran > 0 ? [...facts, say('ranOnTheWay', { ran: String(mark.ran) })] : facts
    case 'shopper':
      return facts
    case 'call':
      return [
        ...facts,
        `${mark.method} ${mark.target}`,
        mark.lastAt === undefined
          ? `${mark.status}, ${mark.durationMilliseconds} ms`
          : `${mark.status}, → ${clockTime(mark.lastAt, mark.at)}`,
        reason(mark),
        mark.refusedBy === undefined ? '' : say('refusedBy', { layer: mark.refusedBy }),
        mark.replayed ? say('replayedCall') : '',
        mark.scenario === undefined ? '' : say('byScenario', { name: mark.scenario }),
      ].filter(fact => fact !== '')
    case 'state':
      return [
        ...facts,
        mark.name,
        mark.amount === undefined ? '' : money(mark.amount, currency, say.language),
        reason(mark),
      ].filter(fact => fact !== '')
    case 'webhook':
      return [
        ...facts,
        mark.name,
        mark.url ?? say('toInbox'),
        mark.nth === undefined ? '' : say('nthTry', { nth: String(mark.nth) }),
        mark.status === undefined
          ? (mark.error ?? '')
          : `${mark.status}, ${Math.round(mark.durationMilliseconds ?? 0)} ms`,
      ].filter(fact => fact !== '')
  }
}

/** What a statusInfo says that reports no problem (D-06). */
const NO_PROBLEM = '-1'

const reason = ({ reasonCode, message }: { reasonCode?: string; message?: string }): string =>
  [reasonCode === NO_PROBLEM ? undefined : reasonCode, message].filter(part => part !== undefined).join(': ')

/** 09:30:05.120, and the day in front where it is another one than before. */
export const clockTime = (at: number, before?: number): string => {
  const iso = new Date(at).toISOString()
  const isOtherDay = before === undefined || new Date(before).toISOString().slice(0, 10) !== iso.slice(0, 10)
  return `${isOtherDay ? `${iso.slice(0, 10)} ` : ''}${iso.slice(11, 23)}`
}
