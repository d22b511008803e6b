import type { CallOptions } from '../../contracts/client/call.ts'
import { NoAnswer } from '../../contracts/client/call-error.ts'
import { readKit } from '../../contracts/client/credentials.ts'
import { type Answer, createMerchant, type Shapes } from '../../contracts/client/merchant.ts'
import type { Purchase, Seen, Sent, Step } from './ledger.ts'
import type { Victim } from './victim.ts'

/** The sandbox is gone in the middle of a call: nobody knows whether it was done. */
export class Gone extends Error {}

/** A read that was refused. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message = 'no message') {
    super(`a read was refused with ${status}: ${message}`)
    this.status = status
  }
}

export type Shop = ReturnType<typeof openShop>

/** A merchant and an operator of one life of the sandbox. */
export const openShop = ({ pagesUrl, kitFile }: Pick<Victim, 'pagesUrl' | 'kitFile'>) => {
  const merchant = createMerchant(readKit(kitFile), { timeoutMs: 60_000 })
  const { organizationId, processingAccountIds } = merchant.credentials
  const [processingAccountId = ''] = processingAccountIds

  const control: Control = async <Body>(path: string, body?: object): Promise<{ status: number; body: Body }> => {
    const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    try {
      const answer = await fetch(`${pagesUrl}/control/organizations/${organizationId}/${path}`, init)
      return { status: answer.status, body: (await answer.json()) as Body }
    } catch (error) {
      throw new Gone('control', { cause: error })
    }
  }

  return {
    control,
    events: async (id: string) => bodyOf(await reached(merchant.events(id))),
    status: async (id: string) => bodyOf(await reached(merchant.status(id))),
    found: async (clientTransactionId: string) =>
      bodyOf(await reached(merchant.search({ clientTransactionId }))).payments.map(
        ({ transactionId }) => transactionId,
      ),
    /** Sends a call under its key: for the first time, or again. */
    send: async ({ operation, key, json }: Sent): Promise<Seen & { replayed: boolean }> => {
      const call = merchant[operation] as (json: object, more: CallOptions) => Promise<Answer<unknown>>
      const { status, exchange } = await reached(call(json, { idempotencyKey: key }))
      const { body, headers } = exchange.answer ?? {}
      return { status, text: String(body), replayed: headers?.['idempotency-replayed'] === 'true' }
    },
    /** Where the clock stands, epoch milliseconds; moved by a duration first, where one is given. */
    clock: async (advance?: string): Promise<number> => {
      const { body } = await control<{ now: string }>('clock', advance === undefined ? undefined : { advance })
      return Date.parse(body.now)
    },
    initiate: async (purchase: Purchase, blik: boolean, through: Control = control): Promise<object> => ({
      processingAccountId,
      clientTransactionId: purchase.reference,
      transactionType: 'ONE_TIME',
      ...(blik ? await byBlik(purchase, through) : byIris(purchase)),
    }),
    act: ({ transactionId = '', reference }: Purchase, step: Step, amount?: number): object => ({
      processingAccountId,
      clientTransactionId: `${reference}-${step}`,
      transactionId,
      paymentDetails: { ...(amount === undefined ? {} : { amount }), description: 'As agreed' },
    }),
    close: () => merchant.close(),
  }
}

const byBlik = async ({ amount, autoCapture }: Purchase, control: Control) => ({
  paymentDetails: { amount, currency: 'PLN', country: 'PL', description: 'Honey', autoCapture },
  providerDetails: { providerId: 'BLIK' },
  payerDetails: { oneTimeCode: (await control<{ code: string }>('blik/codes', {})).body.code },
})

const byIris = ({ amount, autoCapture }: Purchase) => ({
  returnUrl: 'https://shop.example/back',
  paymentDetails: { amount, currency: 'EUR', country: 'GR', description: 'A lamp', autoCapture },
  providerDetails: { providerId: 'IRIS' },
  payerDetails: { payerId: 'shopper-1' },
})

type Control = <Body>(path: string, body?: object) => Promise<{ status: number; body: Body }>

const reached = async <Result>(calling: Promise<Result>): Promise<Result> => {
  try {
    return await calling
  } catch (error) {
    if (error instanceof NoAnswer) throw new Gone(error.message)
    throw error
  }
}

const bodyOf = <Body>(answer: Answer<Body>): Body => {
  if (answer.ok) return answer.body
  throw new Refused(answer.status, answer.refusal?.statusInfo?.message)
}

export type Events = Shapes['EventsAnswer']
