import { CAPABILITY_OF_TRANSACTION_TYPE } from '../../contracts/protocol/providers-and-capabilities.ts'
import { ensureOwnAccount } from '../payments/account-ownership.ts'
import type { ChargeRequest, InitiateRequest } from '../payments/payment.ts'
import { ensure } from '../support/refusal.ts'
import type { OperationContext } from './operation-types.ts'
import { isAutoCapture } from './payment-from-request.ts'

/** Refuses a foreign account (D-54), and a transaction type, later capture or dispute without support (7.1: 501, D-37). */
export const ensureMethodSupport = (
  request: InitiateRequest | ChargeRequest,
  context: Pick<OperationContext, 'accountIds' | 'supports' | 'rules' | 'arranged'>,
): void => {
  const {
    accountIds,
    supports,
    arranged,
    rules: { choices },
  } = context
  const { processingAccountId, transactionType = 'RECURRING' } = request
  const { providerId } = request.providerDetails
  const on = { processingAccountId, providerId }
  const needed = CAPABILITY_OF_TRANSACTION_TYPE[transactionType]
  ensureOwnAccount(processingAccountId, { accountIds, choices })
  ensure(
    needed === undefined || supports(on, needed),
    'OPERATION_UNSUPPORTED',
    `${providerId} ${transactionType} is not supported.`,
  )
  ensure(
    isAutoCapture(request, context) || supports(on, 'laterCapture'),
    'OPERATION_UNSUPPORTED',
    `${providerId} captures with the payment: leave autoCapture out or send true.`,
  )
  ensure(
    arranged?.dispute === undefined || supports(on, 'disputes'),
    'OPERATION_UNSUPPORTED',
    `The scenario ${arranged?.scenario} has a dispute, and ${providerId} has none on this account.`,
  )
}
