import type { Capability } from '../payments/capabilities.ts'
import type { ChargeRequest, InitiateRequest } from '../payments/payment.ts'
import { ensure } from '../refusal.ts'
import { capturesItself } from './new-payment.ts'
import type { Context } from './operation.ts'

export type TransactionType = InitiateRequest['transactionType']

/** What a method must be capable of for each transaction type (1). */
export const TYPE_NEEDS = {
  ONE_TIME: undefined,
  RECURRING: 'recurring',
  TOKEN_ONLY: 'tokenOnly',
} as const satisfies Record<TransactionType, Capability | undefined>

/** Refuses what is not for this caller's accounts (D-54), or what the method does not carry on them (7.1: 501, D-37). */
export const ensureCarried = (
  request: InitiateRequest | ChargeRequest,
  { accountIds, supports }: Pick<Context, 'accountIds' | 'supports'>,
): void => {
  const { processingAccountId, transactionType = 'RECURRING' } = request
  const { providerId } = request.providerDetails
  const on = { processingAccountId, providerId }
  const needed = TYPE_NEEDS[transactionType]
  ensure(
    accountIds.includes(processingAccountId),
    'FORBIDDEN',
    'The processing account is not one of this organization.',
  )
  ensure(
    needed === undefined || supports(on, needed),
    'OPERATION_UNSUPPORTED',
    `${providerId} ${transactionType} is not supported.`,
  )
  ensure(
    capturesItself(request) || supports(on, 'laterCapture'),
    'OPERATION_UNSUPPORTED',
    `${providerId} captures with the payment: leave autoCapture out or send true.`,
  )
}
