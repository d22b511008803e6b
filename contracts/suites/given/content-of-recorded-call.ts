import type { CallParts } from '../../client/endpoint-call.ts'
import type { Exchange } from '../../client/http-exchange.ts'
import { valueAtPointer } from '../../dialect/json-pointer.ts'
import { requestPointer } from '../../harness/profile/create-request-dialect.ts'
import type { Profile } from '../../harness/profile/profile.ts'

/** Returns the content of a recorded call, to send the same bytes under the same idempotency key once more (I3). */
export const repeatCall = ({ request: { headers, body } }: Exchange): CallParts => {
  const idempotencyKey = headers['idempotency-key']
  return { ...(idempotencyKey !== undefined && { idempotencyKey }), ...(body && { bytes: body }) }
}

/** Reads the payer of a recorded mock/set call from its request, where the profile places it. */
export const payerOfMock = (profile: Profile, { request }: Exchange): string =>
  String(
    valueAtPointer(
      JSON.parse(Buffer.from(request.body ?? []).toString()),
      requestPointer(profile, 'mockSet', 'key.value'),
    ),
  )
