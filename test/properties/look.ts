import type { BookedPosting, Payment, PaymentEvent } from '../../simulator/payments/payment.ts'
import { ACCOUNT, type Core, SHOP } from '../support/core.ts'

export type Seen = { payment: Payment; events: readonly PaymentEvent[]; postings: readonly BookedPosting[] }

const ALWAYS = { accountIds: [ACCOUNT], from: 0, to: Number.MAX_SAFE_INTEGER }

/** Everything that the store keeps of the shop's payments, by the merchant's name for them, once all is done that was due. */
export const look = async ({ store, jobs }: Core): Promise<Record<string, Seen>> => {
  await jobs.runDue(SHOP)
  const unit = { organizationId: SHOP, now: 0 }
  const { found, postings } = await store.perform({
    ...unit,
    needs: { payments: { limit: 100 }, postings: ALWAYS },
    decide: loaded => ({ result: loaded }),
  })
  const entries = (found?.payments ?? []).map(async ({ transactionId }) => {
    const { payment, events } = await store.perform({
      ...unit,
      needs: { transactionId, events: true },
      decide: loaded => ({ result: loaded }),
    })
    if (!payment) throw new Error(`${transactionId} is found and cannot be read.`)
    return [
      payment.clientTransactionId,
      { payment, events, postings: postings.filter(booked => booked.transactionId === transactionId) },
    ] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}
