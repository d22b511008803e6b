import type { Profile } from '../../harness/profile/profile.ts'
import type { ProviderId } from '../../protocol/provider-codes.ts'

type Offered = { methods?: readonly string[]; manualCapture?: boolean; partialCaptures?: boolean }

const offered = ({ capabilities }: Profile): Offered => (capabilities ?? {}) as Offered

/** Whether the profile names no other payment methods than this one. */
export const offersMethod = (profile: Profile, method: ProviderId): boolean =>
  offered(profile).methods?.includes(method) ?? true

/** Whether an authorization can wait for a capture by hand: the profile does not deny it. */
export const capturesByHand = (profile: Profile): boolean => offered(profile).manualCapture !== false

/** Returns an amount to capture that is part of a payment; the whole where parts cannot be captured. */
export const capturedPart = (profile: Profile): number => (offered(profile).partialCaptures === false ? 1000 : 400)
