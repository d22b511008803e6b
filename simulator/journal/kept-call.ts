import type { JournalEntry } from './entry.ts'

/**
 * A call beside the heap, as bytes: its entry as JSON without the bodies, then both of these. As objects, hundreds of
 * calls would be moved by collection after collection of garbage, and walked through as long as they are kept.
 */
export type KeptCall = {
  callId: string
  bytes: Buffer
  /** Where the entry and the request's body end, and all of it. */
  ends: readonly [entry: number, asked: number, told: number]
  /** The bytes of a body that are not those which the entry shows; undefined where there were too many to keep. */
  sent?: { body: Buffer | undefined }
}

/** Bodies beyond this size are not kept byte by byte: hundreds of them would be too much. */
const KEPT_BODY = 65_536
/** Bytes are taken in such steps, that the next call finds room in them too, and left again where it needs much less. */
const STEP = 1024
const ROOM = 4

/** In the place of a call that is over, whose bytes it takes where they fit. */
export const keep = (entry: JournalEntry, sent: Buffer | undefined, over?: KeptCall): KeptCall => {
  const { request, answer } = entry
  const known = JSON.stringify({ ...entry, request: { ...request, body: '' }, answer: { ...answer, body: '' } })
  const length = Buffer.byteLength(known) + Buffer.byteLength(request.body) + Buffer.byteLength(answer.body)
  const bytes =
    over && isRoomy(over.bytes, length) ? over.bytes : Buffer.allocUnsafeSlow(Math.ceil(length / STEP) * STEP)
  const ofEntry = bytes.write(known)
  const ofAsked = ofEntry + bytes.write(request.body, ofEntry)
  const ends = [ofEntry, ofAsked, ofAsked + bytes.write(answer.body, ofAsked)] as const
  const isShown = !sent || bytes.compare(sent, 0, sent.length, ofEntry, ofAsked) === 0
  const { callId } = entry
  if (isShown) return { callId, bytes, ends }
  return { callId, bytes, ends, sent: { body: sent.length <= KEPT_BODY ? Buffer.from(sent) : undefined } }
}

const isRoomy = ({ length: had }: Buffer, length: number): boolean => had >= length && had < ROOM * (length + STEP)

/** As it was kept. */
export const entryIn = ({ bytes, ends: [ofEntry, ofAsked, ofTold] }: KeptCall): JournalEntry => {
  const entry = JSON.parse(bytes.toString('utf8', 0, ofEntry)) as JournalEntry
  entry.request.body = bytes.toString('utf8', ofEntry, ofAsked)
  entry.answer.body = bytes.toString('utf8', ofAsked, ofTold)
  return entry
}

/** The bytes that its request's body had; undefined where they are not kept. */
export const sentIn = ({ bytes, ends: [ofEntry, ofAsked], sent }: KeptCall): Buffer | undefined =>
  sent ? sent.body : Buffer.from(bytes.subarray(ofEntry, ofAsked))
