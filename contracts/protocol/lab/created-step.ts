import { type Finding, finding } from './causes.ts'
import type { KindInput } from './read-input.ts'

/** By which time a signature is judged: when it was sent, where that is known, else now. UNIX seconds. */
export type Times = { sentAt: number | undefined; now: number; maxAge: number; maxAhead: number }

type Judged = { parameters: readonly Finding[]; window: readonly Finding[]; isNote: boolean }

const HOUR = 3600
const MILLISECONDS = 100_000_000_000
/** A clock that is off by a time zone is off by whole quarters of an hour, but for the seconds that a call takes. */
const QUARTER = 900

/** What is wrong with the time of a signature. Its age says nothing where nobody knows when it was sent. */
export const createdFindings = ({ created, expires }: KindInput, times: Times): Judged => {
  const now = times.sentAt ?? times.now
  const judged = (window: Finding[], isNote = false): Judged => ({ parameters: [], window, isNote })
  if (created === undefined) return judged([])
  if (created > MILLISECONDS) return { parameters: [finding('created-milliseconds')], window: [], isNote: false }
  const age = now - created
  const zone = zoneOf(age)
  if (-age > times.maxAhead)
    return judged([
      zone ? finding('created-zone', { hours: zone }) : finding('created-ahead', { seconds: String(-age) }),
    ])
  const isNote = times.sentAt === undefined
  if (expires !== undefined && expires < now)
    return judged([finding('expired', { seconds: String(now - expires) })], isNote)
  if (age <= times.maxAge) return judged([])
  if (isNote) return judged([finding('created-stale', { seconds: String(age) })], isNote)
  return judged([zone ? finding('created-zone', { hours: zone }) : finding('created-old', { seconds: String(age) })])
}

/** By how many hours a clock is off, where that looks like a time zone. */
const zoneOf = (age: number): string | undefined => {
  const quarters = Math.round(age / QUARTER)
  const isWhole = Math.abs(age - quarters * QUARTER) <= 60 && Math.abs(age) <= 14 * HOUR + 60 && Math.abs(quarters) >= 2
  return isWhole ? String(quarters / 4) : undefined
}
