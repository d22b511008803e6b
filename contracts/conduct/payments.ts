import { type ConductRule, overEach } from './rule.ts'
import { type ClientCall, type ClientPayment, isMutating, isOverdue, type Traffic } from './traffic.ts'

/** What merchants do with payments that are theirs to finish, and what they write into them (R3, 2.2). */
export const PAYMENTS: readonly ConductRule[] = [
  {
    id: 'CND-18',
    clause: '3',
    title: 'a payment whose shopper never comes back is finished all the same',
    why: 'Browsers are closed and batteries die after the shopper has paid.',
    judge: traffic => mustGoOn(traffic, ({ neverReturned }) => neverReturned),
  },
  {
    id: 'CND-20',
    clause: '2.2',
    title: 'finalize is called once the shopper has agreed',
    why: 'Without it no money moves, and the shopper believes to have paid.',
    judge: traffic => mustGoOn(traffic, ({ neverReturned }) => !neverReturned),
  },
  {
    id: 'CND-21',
    clause: 'R3',
    title: 'authorized money is captured or let go before the authorization ends',
    why: "Else the shopper's money is held for days for nothing.",
    judge: ({ payments }) =>
      overEach(
        payments.filter(({ states }) => states.includes('AUTHORIZED')),
        ({ transactionId, states }) =>
          states.at(-1) === 'EXPIRED' && !states.some(state => /CAPTURED$/.test(state))
            ? { said: `The authorization of payment ${transactionId} ran out.`, evidence: [transactionId] }
            : undefined,
      ),
  },
  {
    id: 'CND-22',
    clause: '2.2',
    title: 'no secret stands in description or metadata',
    why: 'Both are shown to shoppers, printed in reports and kept for years.',
    judge: ({ calls }) =>
      overEach(
        calls.filter(call => isMutating(call) && freeText(call).length > 0),
        call => {
          const found = SECRETS.find(({ pattern, really = () => true }) =>
            freeText(call).some(text => Array.from(text.matchAll(pattern)).some(([match]) => really(match))),
          )
          const said = `${call.operation} carries what looks like ${found?.name}.`
          return found && { said, evidence: [call.callId] }
        },
      ),
  },
]

const mustGoOn = (traffic: Traffic, concerns: (payment: ClientPayment) => boolean) =>
  overEach(
    traffic.payments.filter(
      payment =>
        payment.states.includes('AUTHENTICATED') &&
        concerns(payment) &&
        (isFinished(payment) || isOverdue(traffic, lastNewsOf(traffic, payment))),
    ),
    payment => {
      const { transactionId, states } = payment
      if (isFinished(payment)) return undefined
      return { said: `Payment ${transactionId} stayed ${states.at(-1)}.`, evidence: [transactionId] }
    },
  )

/** Whether finalize was called, whatever came of it. */
export const isFinished = ({ states }: ClientPayment): boolean =>
  states.includes('AUTHORIZED') || states.includes('DECLINED')

/** When anything happened to a payment last: whoever is slow may still be about to act upon it. */
export const lastNewsOf = ({ calls, deliveries }: Traffic, { transactionId, pressedAt = 0 }: ClientPayment): number => {
  const about = [...calls, ...deliveries].filter(news => news.transactionId === transactionId)
  const times = about.flatMap(news => ('attempts' in news ? news.attempts : [news]).map(({ endedAt }) => endedAt))
  return Math.max(pressedAt, ...times)
}

/** The texts of a call that people write freely. */
const freeText = ({ body }: ClientCall): readonly string[] => {
  const { description, metadata, paymentDetails } = (body ?? {}) as Record<string, unknown>
  const inner = (paymentDetails ?? {}) as Record<string, unknown>
  const texts = [description, inner.description, ...Object.values((metadata ?? {}) as object)]
  return texts.filter(text => typeof text === 'string')
}

type Secret = { name: string; pattern: RegExp; really?: (match: string) => boolean }

/** How the numbers of the card schemes begin, and how long they are: most order numbers are none of them. */
const CARDS = /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7]|6[05])\d{14}|3[47]\d{13})$/

/** The form and the check digit of card numbers. */
const isCardNumber = (match: string): boolean => {
  const bare = match.replace(/\D/g, '')
  if (!CARDS.test(bare)) return false
  const digits = Array.from(bare, Number).reverse()
  const sum = digits.reduce(
    (total, digit, place) => total + (place % 2 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit),
    0,
  )
  return sum % 10 === 0
}

// biome-ignore format: a table reads by its columns
const SECRETS: readonly Secret[] = [
  { name: 'a card number',     pattern: /\b\d(?:[ -]?\d){12,18}\b/g, really: isCardNumber },
  { name: 'a token',           pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g },
  { name: 'a bearer header',   pattern: /\bBearer\s+[\w.~+/-]{16,}/gi },
  { name: 'a private key',     pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/g },
  { name: 'a webhook secret',  pattern: /\bwhsec_[\w+/=-]{16,}/g },
  { name: 'a password',        pattern: /\b(?:password|passwd|hasło|κωδικός)\s*[:=]\s*\S+/gi },
]
