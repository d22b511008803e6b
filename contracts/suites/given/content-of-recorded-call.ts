import type { CallParts } from '../../client/endpoint-call.ts'
import { type Exchange, jsonOf } from '../../client/http-exchange.ts'
import { valueAtPointer } from '../../dialect/json-pointer.ts'
import { createRequestLens } from '../../dialect/request-lens.ts'
import { requestPointer } from '../../harness/profile/create-request-dialect.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { isJsonObject } from '../../protocol/canonical-json.ts'
import type { ProviderId } from '../../protocol/provider-codes.ts'
import { PROVIDER_IDS } from '../../protocol/providers-and-capabilities.ts'

/** Returns the content of a recorded call, to send the same bytes under the same idempotency key once more (I3). */
export const repeatCall = ({ request: { headers, body } }: Exchange): CallParts => {
  const idempotencyKey = headers['idempotency-key']
  return { ...(idempotencyKey !== undefined && { idempotencyKey }), ...(body && { bytes: body }) }
}

/** Reads the method of a recorded initiate from its request, where and as the profile has it; undefined where it names none. */
export const methodOfInitiate = (profile: Profile, { request }: Exchange): ProviderId | undefined => {
  const body = jsonOf(request.body)
  if (!isJsonObject(body)) return undefined
  const { providerId } = (createRequestLens(profile).readJson('initiate', body).request.providerDetails ?? {}) as {
    providerId?: unknown
  }
  return PROVIDER_IDS.find(known => known === providerId)
}

/** Reads the payer of a recorded mock/set call from its request, where the profile places it. */
export const payerOfMock = (profile: Profile, { request }: Exchange): string =>
  String(
    valueAtPointer(
      JSON.parse(Buffer.from(request.body ?? []).toString()),
      requestPointer(profile, 'mockSet', 'key.value'),
    ),
  )
