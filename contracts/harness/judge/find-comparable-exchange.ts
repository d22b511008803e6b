import { type Exchange, isServed } from '../../client/http-exchange.ts'

/**
 * Finds a served exchange of the same call, to compare a judged one with: one of the control check's, else the last one of the run
 * that was served. Without any, the last exchange that the control looked at.
 */
export const findComparableExchange = (
  exchange: Exchange,
  ofControl: readonly Exchange[],
  transcript: readonly Exchange[],
): Exchange | undefined => {
  const shape = callShape(exchange)
  const isReference = (other: Exchange): boolean => other !== exchange && isServed(other) && callShape(other) === shape
  return ofControl.findLast(isReference) ?? transcript.findLast(isReference) ?? ofControl.at(-1)
}

/** Returns the method and path, with each segment that identifies one payment replaced by `#`. */
const callShape = ({ request }: Exchange): string => {
  const [address = ''] = request.url.split('?', 1)
  const parts = address.split('/')
  const isId = (part: string, at: number): boolean => at > 0 && at < parts.length - 1 && /\d.{5}/s.test(part)
  return `${request.method} ${parts.map((part, at) => (isId(part, at) ? '#' : part)).join('/')}`
}
