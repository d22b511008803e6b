import type { Exchange } from '../client/exchange.ts'

/**
 * The same call done right, to stand beside one that is judged: the control's own where it made such a call, else the
 * last one of the run that was served. Without any, the last call that the control looked at.
 */
export const neighbourOf = (
  exchange: Exchange,
  ofControl: readonly Exchange[],
  transcript: readonly Exchange[],
): Exchange | undefined => {
  const meant = callOf(exchange)
  const like = (other: Exchange): boolean => other !== exchange && isServed(other) && callOf(other) === meant
  return ofControl.findLast(like) ?? transcript.findLast(like) ?? ofControl.at(-1)
}

const isServed = ({ answer }: Exchange): boolean => answer !== undefined && answer.status < 300

/** Method and path without what names one payment and no other. */
const callOf = ({ request }: Exchange): string => {
  const [address = ''] = request.url.split('?', 1)
  const parts = address.split('/')
  const isId = (part: string, at: number): boolean => at > 0 && at < parts.length - 1 && /\d.{5}/s.test(part)
  return `${request.method} ${parts.map((part, at) => (isId(part, at) ? '#' : part)).join('/')}`
}
