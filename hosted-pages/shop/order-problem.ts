import type { Say, TextKey } from '../text-lookup-by-language.ts'
import type { ShopOrder } from './demo-shop-types.ts'

/** Words for the shopper by the reasonCode of a decline or refusal; what is not here is of the shop or the service. */
// biome-ignore format: a table reads by its columns
const SENTENCES: Readonly<Record<string, TextKey>> = {
  1001: 'problemNoMoney',
  1002: 'problemLimit',
  1003: 'problemLimit',
  2000: 'problemTime',
  2001: 'problemDeclined',
  2010: 'problemTime',
  4010: 'problemConsent',
  5010: 'problemConsent',
  5011: 'problemConsent',
  5012: 'problemConsent',
  8003: 'problemUnsupported',
}

/** Returns why an order is not paid, or not sent back, in the words of the shopper; undefined where nothing is wrong. */
export const problemInWords = (
  say: Say,
  { state, method, problem, reasonCode = '' }: ShopOrder,
): string | undefined => {
  if (problem === undefined && reasonCode === '') return undefined
  if (state === 'paid') return say('problemRefund')
  if (method === 'BLIK' && reasonCode === '4000') return say('problemCode')
  if (method === 'IRIS' && reasonCode === '2001') return say('problemCanceledAtBank')
  return say(SENTENCES[reasonCode] ?? 'problemOther')
}
