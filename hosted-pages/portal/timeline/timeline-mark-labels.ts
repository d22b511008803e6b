import { money } from '../../money-and-date-format.ts'
import { formatDuration } from '../layout/formatted-values.ts'
import type { ClockWay, Lane, Mark, PaymentTimeline, StateMark, WebhookMark } from './timeline-mark-types.ts'

export const LANE_NAMES: Readonly<Record<Lane, string>> = {
  clock: 'Clock',
  shopper: 'Shopper',
  call: 'API call',
  state: 'State',
  webhook: 'Webhook',
}

/** Labels of the moves of the clock on a timeline, by kind of move. */
const CLOCK_MOVES: Readonly<Record<ClockWay, (time: string, rate: number) => string>> = {
  advance: time => `forward ${time}`,
  next: time => `to the next thing, ${time}`,
  to: time => `forward ${time}`,
  drain: time => `drained, ${time}`,
  freeze: () => 'frozen',
  real: () => 'real pace',
  scale: (_time, rate) => `${rate} × as fast`,
}

const DECISIONS: Readonly<Record<string, string>> = { approve: 'approved', decline: 'declined', lapse: 'let it lapse' }

/** Returns the short label beside a mark of a timeline's picture. */
export const labelOf = (mark: Mark): string => {
  switch (mark.lane) {
    case 'clock':
      return CLOCK_MOVES[mark.way](formatDuration(mark.until - mark.at), mark.rate)
    case 'shopper':
      return `${DECISIONS[mark.action] ?? mark.action}${mark.late ? ': too late' : ''}`
    case 'call':
      return `${mark.name}${mark.status >= 400 ? ` ${mark.status}` : ''}${mark.times ? ` × ${mark.times}` : ''}`
    case 'state':
      return stateWord(mark)
    case 'webhook':
      return `${mark.name.replace(/^PAYMENT_/, '')}${webhookEnd(mark)}`
  }
}

/** Returns the state that an event led to; the event's name where it led to none, as a declined refund. */
const stateWord = ({ name, state, planned }: StateMark & { planned?: true }): string =>
  planned || !state || /-(declined|accepted)$/.test(name) ? name.replace(/^payment\./, '') : state

const webhookEnd = ({ status, error, nth, url }: WebhookMark): string => {
  if (url === undefined) return ''
  const came = status ?? (error === undefined ? '' : '✗')
  return `${came === '' ? '' : ` ${came}`}${nth !== undefined && nth > 1 ? `, try ${nth}` : ''}`
}

/** Returns the details of a timeline's mark beyond its label. */
export const factsOf = (mark: Mark, { currency }: Pick<PaymentTimeline, 'currency'>): string[] => {
  const facts = mark.planned ? ['to come'] : []
  switch (mark.lane) {
    case 'clock':
      return mark.ran > 0 ? [...facts, `ran on the way: ${mark.ran}`] : facts
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
        mark.refusedBy === undefined ? '' : `refused by the layer ${mark.refusedBy}`,
        mark.replayed ? 'replayed' : '',
        mark.scenario === undefined ? '' : `scenario ${mark.scenario}`,
        mark.traceId === undefined ? '' : `trace ${mark.traceId}`,
      ].filter(fact => fact !== '')
    case 'state':
      return [
        ...facts,
        mark.name,
        mark.amount === undefined ? '' : money(mark.amount, currency, 'en'),
        reason(mark),
      ].filter(fact => fact !== '')
    case 'webhook':
      return [
        ...facts,
        mark.name,
        mark.url ?? 'in the inbox',
        mark.nth === undefined ? '' : `try ${mark.nth}`,
        mark.status === undefined
          ? (mark.error ?? '')
          : `${mark.status}, ${Math.round(mark.durationMilliseconds ?? 0)} ms`,
      ].filter(fact => fact !== '')
  }
}

/** The reason code of a statusInfo that reports no problem (D-06). */
const NO_PROBLEM = '-1'

const reason = ({ reasonCode, message }: { reasonCode?: string; message?: string }): string =>
  [reasonCode === NO_PROBLEM ? undefined : reasonCode, message].filter(part => part !== undefined).join(': ')

/** Formats a time of a timeline such as 09:30:05.120, with the day in front where it differs from the time before. */
export const clockTime = (at: number, before?: number): string => {
  const iso = new Date(at).toISOString()
  const isOtherDay = before === undefined || new Date(before).toISOString().slice(0, 10) !== iso.slice(0, 10)
  return `${isOtherDay ? `${iso.slice(0, 10)} ` : ''}${iso.slice(11, 23)}`
}
