import type { MerchantResponse } from '../../contracts/client/merchant-client.ts'

/** Body of a merchant call's 200 response; throws if the call was refused. */
export const bodyOf = <Body>(answer: MerchantResponse<Body>): Body => {
  if (answer.ok) return answer.body
  throw new Error(`The call was refused with ${answer.status}: ${JSON.stringify(answer.refusal)}`)
}

/** Returns the status and reason code of a refused merchant call. */
export const refusalOf = (answer: MerchantResponse<unknown>): readonly unknown[] => [
  answer.status,
  answer.ok ? undefined : answer.refusal?.statusInfo?.reasonCode,
]
