import { toJsonInteger } from '../protocol/parse-json-keeping-big-integers.ts'
import type { AmountForm, DialectLines, TimeForm } from './dialect-lines.ts'
import type { IdForm } from './numeric-ids.ts'
import { createStateWords } from './state-words.ts'

/** Converter of member values, by the members' names, between the document and a deployment. */
export type ValueForms = { write(name: string, value: unknown): unknown; read(name: string, value: unknown): unknown }

type ValueForm = { write(value: unknown): unknown; read(value: unknown): unknown }

/** Names of the document's members by what their values are. */
const IDS = ['transactionId', 'originalTransactionId']
const AMOUNTS = [
  'amount',
  'capturedAmount',
  'refundedAmount',
  'amountFrom',
  'amountTo',
  'grossAmount',
  'feeAmount',
  'netAmount',
]
const TIMES = ['registeredAt', 'expiresAt', 'at', 'timestamp', 'createdAt', 'createdFrom', 'createdTo']
const REASON_CODES = ['reasonCode']

/** Creates the value forms of a dialect; `ids` says how the service keeps the ids that it puts on the wire. */
export const createValueForms = (lines: Omit<DialectLines, 'name'>, ids: IdForm): ValueForms => {
  const { forms = {}, enums = {} } = lines
  const byName = new Map<string, ValueForm>()
  const add = (names: readonly string[], form: ValueForm | undefined) => {
    if (form) for (const name of names) byName.set(name, form)
  }
  for (const [name, words] of Object.entries(enums)) byName.set(name, wordForm(words))
  add(IDS, lines.ids?.transactionId === 'number' ? numberIds(ids) : undefined)
  add(AMOUNTS, forms.amounts && AMOUNT_FORMS[forms.amounts])
  add(TIMES, forms.times && TIME_FORMS[forms.times])
  add(REASON_CODES, forms.reasonCodes === 'number' ? numberCodes(byName.get('reasonCode')) : undefined)
  add(['state'], createStateWords(lines))
  return {
    write: (name, value) => byName.get(name)?.write(value) ?? value,
    read: (name, value) => byName.get(name)?.read(value) ?? value,
  }
}

const wordForm = (words: Readonly<Record<string, string>>): ValueForm => {
  const back = new Map(Object.entries(words).map(([ours, theirs]) => [theirs, ours]))
  return {
    write: value => (typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value),
    read: value => back.get(String(value)) ?? value,
  }
}

const numberIds = (ids: IdForm): ValueForm => ({
  write: value => {
    const text = typeof value === 'string' ? ids.write(value) : ''
    return /^(0|[1-9]\d*)$/.test(text) ? toJsonInteger(text) : value
  },
  read: value => (typeof value === 'number' || typeof value === 'string' ? ids.read(String(value)) : value),
})

const numberCodes = (words: ValueForm | undefined): ValueForm => ({
  write: value => {
    const word = words?.write(value) ?? value
    return typeof word === 'string' && /^-?\d+$/.test(word) ? Number(word) : word
  },
  read: value => {
    const text = typeof value === 'number' ? String(value) : value
    return words?.read(text) ?? text
  },
})

const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value)

/** Minor units in one unit of złoty and euro. */
const MINOR = 100

/**
 * Forms of an amount, by name. A value of the wrong type stays one in the other form: a text becomes a number where amounts
 * are texts, so that what the document refuses is refused there too.
 */
const AMOUNT_FORMS: Readonly<Record<AmountForm, ValueForm>> = {
  minor: { write: value => value, read: value => value },
  'minor-text': {
    write: value => (isWhole(value) ? String(value) : otherType(value)),
    read: value => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : otherType(value)),
  },
  major: {
    write: value => (typeof value === 'number' ? value / MINOR : value),
    read: value => (typeof value === 'number' ? toMinor(value) : value),
  },
  'major-text': {
    write: value => (isWhole(value) ? (value / MINOR).toFixed(2) : otherType(value)),
    read: value =>
      typeof value === 'string' && /^-?\d+(\.\d{1,2})?$/.test(value) ? toMinor(Number(value)) : otherType(value),
  },
}

const otherType = (value: unknown): unknown =>
  typeof value === 'number' ? String(value) : typeof value === 'string' ? Number(value) : value

/** Converts major to minor units; more than two decimals stay a fraction, which no schema takes. */
const toMinor = (major: number): number =>
  /^-?\d+(\.\d{1,2})?$/.test(String(major)) ? Math.round(major * MINOR) : major * MINOR

const TIME_FORMS: Readonly<Record<TimeForm, ValueForm>> = {
  iso: { write: value => value, read: value => value },
  epoch: epochForm(1000),
  'epoch-ms': epochForm(1),
}

function epochForm(unit: number): ValueForm {
  return {
    write: value => {
      const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
      return Number.isNaN(time) ? value : Math.floor(time / unit)
    },
    read: value => (isWhole(value) && Math.abs(value * unit) < 8.64e15 ? new Date(value * unit).toISOString() : value),
  }
}
