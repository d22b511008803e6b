import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/exchange.ts'
import type { Alterations } from '../client/send.ts'
import type { Expect } from '../harness/expect.ts'
import { Open } from '../harness/signals.ts'
import { edit, irisPayment } from './bodies.ts'
import type { Player } from './player.ts'

/** What every check needs that tells by an override whether a mock was used (2.7). */
export const WITH_MARKS = { control: 'MCK-03', needs: ['mocks.initiate'] }

/** A payer whom nobody else knows. */
export const unique = (what: 'payer'): string => `${what}-${randomUUID()}`

/** Whom a mock is for, and what it says otherwise than the usual one. */
type Wish = Readonly<Record<string, unknown>> & { payer?: string }

/** A mock that says yes to all that a payer does, until it is replaced. */
export const mockOf = (account: string, { payer, ...more }: Wish): Record<string, unknown> => ({
  processingAccountId: account,
  ...(payer === undefined ? {} : { key: { type: 'PAYER_ID', value: payer } }),
  type: 'MOCK',
  scenario: 'OK',
  oneTime: false,
  ...more,
})

type Overrides = Readonly<Record<string, string>>

/** The mock with overrides of single steps; where a deployment has them is for its profile to say (S06). */
export const overriding = (
  mock: Record<string, unknown>,
  steps: { initiate?: Overrides; finalize?: Overrides },
): Record<string, unknown> => {
  const placed = Object.entries(steps).map(([step, providerDetails]) => [step, { providerDetails }])
  return { ...mock, steps: Object.fromEntries(placed) }
}

/** Overrides that tell a mocked answer from every other, wherever an answer shows them. */
export const marked = (mark: string): Overrides => ({
  providerTransactionId: mark,
  redirectUrl: `https://bank.example/${mark}`,
})

export const set = ({ merchant }: Player, json: unknown, idempotencyKey?: string): Promise<Exchange> =>
  merchant.request('mockSet', { json, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })

/** A payment of this payer. No mock: it has a provider's page to go to. */
export const pay = (
  { merchant, account }: Player,
  payer: string,
  more: { account?: string; clientTransactionId?: string } = {},
  alter?: Alterations,
): Promise<Exchange> => {
  const json = edit(irisPayment(more.account ?? account), 'payerDetails.payerId', payer)
  const { clientTransactionId = json.clientTransactionId } = more
  return merchant.request('initiate', { json: { ...json, clientTransactionId } }, alter)
}

/** The mock was taken. Where its overrides were not, the profile has them in the wrong place (S06). */
export const isSet = (exchange: Exchange, expect: Expect): void => {
  if (expect.answered(exchange).status < 300) return
  const { file } = expect.profile
  throw new Open(`a mock with overrides is not taken (${expect.told(exchange)}): correct mocks in ${file}`, exchange)
}

/** The answer is the mock's (E2). */
export const isMocked = (exchange: Exchange, mark: string, expect: Expect): void => {
  expect.served(exchange)
  expect.holds(shows(exchange, mark), 'the answer of the mock', 'an answer without its overrides', exchange)
}

/** The default flow answered (E2). */
export const isUsual = (exchange: Exchange, mark: string, expect: Expect): void => {
  expect.served(exchange)
  isNotOf(exchange, mark, expect)
}

/** The answer, whatever it is, has nothing of the mock. */
export const isNotOf = (exchange: Exchange, mark: string, expect: Expect): void => {
  expect.answered(exchange)
  expect.holds(!shows(exchange, mark), 'nothing of the mock', 'its overrides', exchange)
}

const shows = ({ answer }: Exchange, mark: string): boolean => answer?.body.toString('utf8').includes(mark) ?? false
