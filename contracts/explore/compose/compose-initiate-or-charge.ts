import type { Shapes } from '../../client/merchant-client.ts'
import { blikPayment, chargeBody, irisPayment } from '../../suites/given/request-bodies.ts'
import { memberAt, withMemberAt } from '../members-that-repeated-calls-change.ts'
import type { Stage } from '../organizations-and-values-of-play.ts'
import type { Step } from '../step.ts'
import { type Compose, composed, foreignAccount, partyOf, WHOLE } from './parts-of-composed-call.ts'

const WRONG_CODE = '000000'

/** Composes the initiate or charge of an exploration step; the payment that it begins has the name of the step. */
export const composeBeginning: Compose = async (stage, step, account) => {
  const {
    type = step.do === 'charge' ? 'RECURRING' : 'ONE_TIME',
    method = 'BLIK',
    autoCapture,
    amount = WHOLE,
    payer,
    tokenOf,
  } = step
  const reference = stage.valueOf(step.reference ?? step.id)
  const body =
    step.do === 'charge' ? chargeBody(account, payerToCharge(stage, step)) : initiateBody(stage, step, account)
  const paymentDetails = { ...body.paymentDetails, amount, ...(autoCapture === undefined ? {} : { autoCapture }) }
  const json = { ...body, clientTransactionId: reference, paymentDetails }
  const isBlik = step.do === 'initiate' && method === 'BLIK'
  const isCoded = isBlik && step.code !== 'wrong'
  const code = step.code ?? step.id
  const isJudged = isBlik && stage.profile.control !== undefined
  const hasToken = tokenOf !== undefined && stage.payments.get(tokenOf)?.token !== undefined
  return composed(stage, step, isCoded ? await withCode(stage, step, json, code) : json, {
    ...{ account, payment: step.id, reference, method, type, amount },
    ...(autoCapture === undefined ? {} : { autoCapture }),
    ...(payer === undefined ? {} : { payer: stage.valueOf(payer) }),
    ...(tokenOf === undefined ? {} : { tokenOf: hasToken ? tokenOf : '' }),
    ...(isJudged ? { code: isCoded ? code : '' } : {}),
    ...foreignAccount(step),
  })
}

const initiateBody = (stage: Stage, { method, type = 'ONE_TIME', payer }: Step, account: string) => {
  const body =
    method === 'IRIS'
      ? irisPayment({ account, returnUrl: stage.profile.target.returnUrl })
      : blikPayment(account, WRONG_CODE)
  const named = payer === undefined ? {} : { payerId: stage.valueOf(payer) }
  return { ...body, transactionType: type, payerDetails: { ...body.payerDetails, ...named } }
}

const payerToCharge = (stage: Stage, { payer, tokenOf }: Step): Shapes['ChargeRequest']['payerDetails'] => {
  const paymentToken = (tokenOf && stage.payments.get(tokenOf)?.token) ?? 'unknown'
  if (payer === undefined) return { paymentToken }
  return { payerId: stage.valueOf(payer), ...(tokenOf === undefined ? {} : { paymentToken }) }
}

/** Writes the one-time code of a name, which the shopper's driver makes at its first use. */
const withCode = async (stage: Stage, step: Step, json: object, code: string): Promise<unknown> => {
  const known = stage.codes.get(code)
  if (known !== undefined) return withMemberAt(json, 'payerDetails.oneTimeCode', known)
  const { shopper } = stage.organizations[partyOf(step)]
  const prepared = await shopper.prepare(json as Shapes['InitiateRequest'], step.decision ?? 'approve')
  stage.codes.set(code, String(memberAt(prepared, 'payerDetails.oneTimeCode')))
  return prepared
}
