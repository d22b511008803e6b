import type { Payment, PaymentEvent, StoredLedgerEntry } from '../../simulator/payments/payment.ts'
import { ACCOUNT, SHOP, type SimulatorCore } from '../support/simulator-core.ts'

export type StoredPayment = {
  payment: Payment
  events: readonly PaymentEvent[]
  ledgerEntries: readonly StoredLedgerEntry[]
}

const ALWAYS = { accountIds: [ACCOUNT], from: 0, to: Number.MAX_SAFE_INTEGER }

/** Runs due jobs, then reads all stored payments with events and ledger entries, by clientTransactionId. */
export const readStoredPayments = async ({ store, jobs }: SimulatorCore): Promise<Record<string, StoredPayment>> => {
  await jobs.runDue(SHOP)
  const unit = { organizationId: SHOP, now: 0 }
  const { paymentPage: found, ledgerEntries } = await store.transact({
    ...unit,
    needs: { payments: { limit: 100 }, ledgerEntries: ALWAYS },
    decide: loaded => ({ result: loaded }),
  })
  const entries = (found?.payments ?? []).map(async ({ transactionId }) => {
    const { payment, events } = await store.transact({
      ...unit,
      needs: { transactionId, events: true },
      decide: loaded => ({ result: loaded }),
    })
    if (!payment) throw new Error(`${transactionId} is found and cannot be read.`)
    return [
      payment.clientTransactionId,
      { payment, events, ledgerEntries: ledgerEntries.filter(entry => entry.transactionId === transactionId) },
    ] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}
