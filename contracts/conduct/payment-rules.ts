import { type ConductRule, judgeOccasions } from './conduct-rule.ts'
import {
  type ClientCall,
  type ClientPayment,
  isAmbiguous,
  isMutating,
  isOverdue,
  isPassingDecline,
  type MerchantTraffic,
} from './merchant-traffic.ts'
import { callsOn } from './related-calls.ts'

/** Conduct rules on finishing payments, and on secrets in free-text fields (2.2, 3, R3). */
export const PAYMENT_RULES: readonly ConductRule[] = [
  {
    id: 'CND-18',
    clause: '3',
    title: 'a payment is finished even if the shopper never returns',
    why: 'Browsers are closed and batteries run out after the shopper has paid.',
    judge: traffic => judgeFinished(traffic, ({ neverReturned }) => neverReturned),
  },
  {
    id: 'CND-20',
    clause: '2.2',
    title: 'finalize is called once the shopper has consented',
    why: 'Without it no money moves, although the shopper believes to have paid.',
    judge: traffic => judgeFinished(traffic, ({ neverReturned }) => !neverReturned),
  },
  {
    id: 'CND-21',
    clause: 'R3',
    title: 'authorized funds are captured or released before the authorization expires',
    why: "Otherwise the shopper's money is held for days without need.",
    judge: traffic =>
      judgeOccasions(
        traffic.payments.filter(
          payment => payment.states.includes('AUTHORIZED') && !(hasRunOut(payment) && wasTried(traffic, payment)),
        ),
        payment => {
          const { transactionId } = payment
          if (!hasRunOut(payment)) return undefined
          return { said: `The authorization of payment ${transactionId} ran out.`, evidence: [transactionId] }
        },
      ),
  },
  {
    id: 'CND-22',
    clause: '2.2',
    title: 'description and metadata contain no secret',
    why: 'Both are shown to shoppers, printed in reports and kept for years.',
    judge: ({ calls }) =>
      judgeOccasions(
        calls.filter(call => isMutating(call) && freeText(call).length > 0),
        call => {
          const found = [oneTimeCodeOf(call), ...SECRETS].find(({ pattern, really = () => true }) =>
            freeText(call).some(text => Array.from(text.matchAll(pattern)).some(([match]) => really(match))),
          )
          const said = `${call.operation} carries what looks like ${found?.name}.`
          return found && { said, evidence: [call.callId] }
        },
      ),
  },
]

/** Whether the authorization of a payment expired with nothing captured. */
const hasRunOut = ({ states }: ClientPayment): boolean =>
  states.at(-1) === 'EXPIRED' && !states.some(state => /CAPTURED$/.test(state))

/** Whether a capture or cancel of a payment was declined, or failed at the provider: the funds are not the merchant's to free. */
const wasTried = (traffic: MerchantTraffic, { transactionId }: ClientPayment): boolean =>
  callsOn(traffic, transactionId).some(
    ({ operation, status }) => (operation === 'capture' || operation === 'cancel') && (status < 300 || status >= 500),
  )

const judgeFinished = (traffic: MerchantTraffic, concerns: (payment: ClientPayment) => boolean) =>
  judgeOccasions(
    traffic.payments.filter(
      payment =>
        payment.states.includes('AUTHENTICATED') &&
        concerns(payment) &&
        (isFinalized(traffic, payment) ||
          (!isInDoubt(traffic, payment) && isOverdue(traffic, lastEventAt(traffic, payment)))),
    ),
    payment => {
      const { transactionId, states } = payment
      if (isFinalized(traffic, payment)) return undefined
      return { said: `Payment ${transactionId} stayed ${states.at(-1)}.`, evidence: [transactionId] }
    },
  )

/** States that show that a payment was finalized or canceled. */
const FINISHED = ['AUTHORIZED', 'TOKENIZED', 'DECLINED', 'CANCELED']
const FINISHING: readonly unknown[] = ['finalize', 'cancel']

const finishingCalls = (traffic: MerchantTraffic, { transactionId }: ClientPayment): readonly ClientCall[] =>
  callsOn(traffic, transactionId).filter(({ operation }) => FINISHING.includes(operation))

/** Whether a payment was finalized or canceled, or an answer to that left it as it was: pending, or declined for now. */
export const isFinalized = (traffic: MerchantTraffic, payment: ClientPayment): boolean =>
  payment.states.some(state => FINISHED.includes(state)) ||
  finishingCalls(traffic, payment).some(call => call.status < 300 || isPassingDecline(call))

/** Whether a payment may yet be finished by a call whose outcome nobody knows (7.4.4); CND-01 judges what follows it. */
export const isInDoubt = (traffic: MerchantTraffic, payment: ClientPayment): boolean =>
  payment.states.at(-1) === 'AUTHENTICATED' && finishingCalls(traffic, payment).some(isAmbiguous)

/** Returns the time of the last call, delivery or shopper action of a payment, in epoch milliseconds. */
export const lastEventAt = (
  traffic: MerchantTraffic,
  { transactionId, lastShopperActionAt = 0 }: ClientPayment,
): number => {
  const deliveries = traffic.deliveries.filter(delivery => delivery.transactionId === transactionId)
  const about = [...callsOn(traffic, transactionId), ...deliveries.flatMap(({ attempts }) => attempts)]
  return about.reduce((last, { endedAt }) => Math.max(last, endedAt), lastShopperActionAt)
}

/** Returns the free-text values of a call: description and metadata. */
const freeText = ({ body }: ClientCall): readonly string[] => {
  const { description, metadata, paymentDetails } = (body ?? {}) as Record<string, unknown>
  const inner = (paymentDetails ?? {}) as Record<string, unknown>
  const texts = [description, inner.description, ...Object.values((metadata ?? {}) as object)]
  return texts.filter(text => typeof text === 'string')
}

type Secret = { name: string; pattern: RegExp; really?: (match: string) => boolean }

/**
 * Prefixes and lengths of card numbers, which most order numbers do not match: neither those that begin with a date of
 * this decade (YYMMDD) nor article numbers, which have 13 digits as no card of today has.
 */
const CARDS =
  /^(?:4(?:\d{15}|\d{18})|(?:5[1-5]|2(?!\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))[2-7]|6[05])\d{14}|3[47]\d{13})$/

/** Whether digits have the form and the Luhn check digit of a card number; an account number (IBAN) begins with letters. */
const isCardNumber = (match: string): boolean => {
  const bare = match.replace(/[ -]/g, '')
  if (!CARDS.test(bare)) return false
  const digits = Array.from(bare, Number).reverse()
  const sum = digits.reduce(
    (total, digit, place) => total + (place % 2 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit),
    0,
  )
  return sum % 10 === 0
}

/** The one-time code of a call as a secret, which matches nothing where the call has none. */
const oneTimeCodeOf = ({ body }: ClientCall): Secret => {
  const { oneTimeCode } = (body?.payerDetails ?? {}) as Record<string, unknown>
  const isCode = typeof oneTimeCode === 'string' && /^\d{6}$/.test(oneTimeCode)
  return { name: 'its one-time code', pattern: isCode ? new RegExp(`\\b${oneTimeCode}\\b`, 'g') : /(?!)/g }
}

// biome-ignore format: a table reads by its columns
const SECRETS: readonly Secret[] = [
  { name: 'a card number',     pattern: /\b(?:[A-Z]{2}\d{2}[ -]?)?\d(?:[ -]?\d){12,18}\b/g, really: isCardNumber },
  { name: 'a token',           pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g },
  { name: 'a bearer header',   pattern: /\bBearer\s+[\w.~+/-]{16,}/gi },
  { name: 'a private key',     pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/g },
  { name: 'a webhook secret',  pattern: /\bwhsec_[\w+/=-]{16,}/g },
  { name: 'a password',        pattern: /\b(?:password|passwd|hasło|κωδικός)\s*[:=]\s*\S+/gi },
]
