import { pause } from './clock.ts'

/** Whether a promise resolves within so many real milliseconds; false at once where the signal aborts. */
export const resolvesWithin = async (
  happened: Promise<void>,
  milliseconds: number,
  ended: AbortSignal,
): Promise<boolean> => {
  const waited = new AbortController()
  const late = pause(milliseconds, AbortSignal.any([ended, waited.signal])).then(() => false)
  const isNews = await Promise.race([happened.then(() => true), late])
  waited.abort()
  return isNews
}
