import type { LenientSignatureInput } from '../lenient-signature-input.ts'
import { type DetectedCause, detectedCause } from '../signature-error-causes.ts'

/**
 * The times by which the signature lab judges `created`, in UNIX seconds: when the request was sent, if known, and now;
 * the limits.
 */
export type CreatedLimits = { sentAt: number | undefined; now: number; maxAge: number; maxAhead: number }

type CreatedJudgment = { parameters: readonly DetectedCause[]; window: readonly DetectedCause[]; isNote: boolean }

const HOUR = 3600
const MILLISECONDS = 100_000_000_000
/** Time zones differ by multiples of 15 minutes, in seconds. */
const QUARTER = 900

/**
 * Judges `created` and `expires` for the signature lab (5.2); an old signature is only a note where the time of sending
 * is unknown.
 */
export const judgeCreated = ({ created, expires }: LenientSignatureInput, times: CreatedLimits): CreatedJudgment => {
  const now = times.sentAt ?? times.now
  const judged = (window: DetectedCause[], isNote = false): CreatedJudgment => ({ parameters: [], window, isNote })
  if (created === undefined) return judged([])
  if (created > MILLISECONDS) return { parameters: [detectedCause('created-milliseconds')], window: [], isNote: false }
  const age = now - created
  const zone = zoneOf(age)
  if (-age > times.maxAhead)
    return judged([
      zone ? detectedCause('created-zone', { hours: zone }) : detectedCause('created-ahead', { seconds: String(-age) }),
    ])
  const isNote = times.sentAt === undefined
  if (expires !== undefined && expires < now)
    return judged([detectedCause('expired', { seconds: String(now - expires) })], isNote)
  if (age <= times.maxAge) return judged([])
  if (isNote) return judged([detectedCause('created-stale', { seconds: String(age) })], isNote)
  return judged([
    zone ? detectedCause('created-zone', { hours: zone }) : detectedCause('created-old', { seconds: String(age) }),
  ])
}

/** Returns the offset of a clock in hours if it looks like a time zone; else undefined. */
const zoneOf = (age: number): string | undefined => {
  const quarters = Math.round(age / QUARTER)
  const isWhole = Math.abs(age - quarters * QUARTER) <= 60 && Math.abs(age) <= 14 * HOUR + 60 && Math.abs(quarters) >= 2
  return isWhole ? String(quarters / 4) : undefined
}
