import type { MerchantResponse } from '../../contracts/client/merchant-client.ts'

/** Returns the body of a merchant call's 200 response in a test; throws if the call was refused. */
export const bodyOf = <Body>(answer: MerchantResponse<Body>): Body => {
  if (answer.ok) return answer.body
  throw new Error(`The call was refused with ${answer.status}: ${JSON.stringify(answer.refusal)}`)
}

/** Returns the status and reason code of a merchant call that was refused in a test. */
export const refusalOf = (answer: MerchantResponse<unknown>): readonly unknown[] => [
  answer.status,
  answer.ok ? undefined : answer.refusal?.statusInfo?.reasonCode,
]
