import { NoResponse } from '../../contracts/client/call-errors.ts'
import { readKit } from '../../contracts/client/credentials.ts'
import type { CallOptions } from '../../contracts/client/endpoint-call.ts'
import { createMerchant, type MerchantResponse, type Shapes } from '../../contracts/client/merchant-client.ts'
import type { Purchase, PurchaseStep, ReceivedResponse, SentCall } from './client-call-record.ts'
import type { SandboxProcess } from './sandbox-process.ts'

/**
 * Error of a test's call during which the connection to the sandbox broke; it is unknown whether the call was carried
 * out.
 */
export class SandboxGone extends Error {}

/** Error of a merchant's read in a crash test that the sandbox refused; `status` is the HTTP status. */
export class ReadRefused extends Error {
  readonly status: number
  constructor(status: number, message = 'no message') {
    super(`a read was refused with ${status}: ${message}`)
    this.status = status
  }
}

export type SandboxClient = ReturnType<typeof openSandboxClient>

/** Opens a crash test's client of one sandbox process: merchant calls and control calls. */
export const openSandboxClient = ({ pagesUrl, kitFile }: Pick<SandboxProcess, 'pagesUrl' | 'kitFile'>) => {
  const merchant = createMerchant(readKit(kitFile), { timeoutMs: 60_000 })
  const { organizationId, processingAccountIds } = merchant.credentials
  const [processingAccountId = ''] = processingAccountIds

  const control: Control = async <Body>(path: string, body?: object): Promise<{ status: number; body: Body }> => {
    const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    try {
      const answer = await fetch(`${pagesUrl}/control/organizations/${organizationId}/${path}`, init)
      return { status: answer.status, body: (await answer.json()) as Body }
    } catch (error) {
      throw new SandboxGone('control', { cause: error })
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
    send: async ({ operation, key, json }: SentCall): Promise<ReceivedResponse & { replayed: boolean }> => {
      const call = merchant[operation] as (json: object, more: CallOptions) => Promise<MerchantResponse<unknown>>
      const { status, exchange } = await reached(call(json, { idempotencyKey: key }))
      const { body, headers } = exchange.response ?? {}
      return { status, text: String(body), replayed: headers?.['idempotency-replayed'] === 'true' }
    },
    /** The organization's time, epoch milliseconds; advanced first where a duration is given. */
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
    act: ({ transactionId = '', reference }: Purchase, step: PurchaseStep, amount?: number): object => ({
      processingAccountId,
      ...(step === 'finalize' ? {} : { clientTransactionId: `${reference}-${step}` }),
      transactionId,
      ...(step === 'capture' || step === 'refund'
        ? {
            paymentDetails: {
              ...(amount === undefined ? {} : { amount }),
              ...(step === 'refund' ? { description: 'As agreed' } : {}),
            },
          }
        : {}),
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
    if (error instanceof NoResponse) throw new SandboxGone(error.message)
    throw error
  }
}

const bodyOf = <Body>(answer: MerchantResponse<Body>): Body => {
  if (answer.ok) return answer.body
  throw new ReadRefused(answer.status, answer.refusal?.statusInfo?.message)
}

export type Events = Shapes['EventsResponse']
