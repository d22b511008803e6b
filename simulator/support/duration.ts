const PATTERN = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/
const MILLISECONDS = [86_400_000, 3_600_000, 60_000, 1_000] as const

/** What `parseDuration` reads, in the words of messages: weeks, months and years are ISO 8601 too, and it reads none. */
export const A_DURATION = 'an ISO 8601 duration of days, hours, minutes and seconds'

/** Days of the longest duration, about as far as clocks go; with it an instant stays an integer that a number holds. */
const MOST_DAYS = 3_000_000

/**
 * Converts an ISO 8601 duration of days to seconds (`PT45S`, `P1DT2H`) to milliseconds; undefined for other text, and for
 * one that no clock reaches.
 */
export const parseDuration = (text: string): number | undefined => {
  const match = PATTERN.exec(text)
  if (!match || text.endsWith('T') || text === 'P') return undefined
  const sum = MILLISECONDS.reduce((sum, unit, index) => sum + Math.round(Number(match[index + 1] ?? 0) * unit), 0)
  return sum <= MOST_DAYS * MILLISECONDS[0] ? sum : undefined
}

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Converts milliseconds to an ISO 8601 duration: the inverse of `parseDuration`. */
export const formatDuration = (milliseconds: number): string => {
  const [days, hours, minutes] = [
    Math.trunc(milliseconds / DAY),
    Math.trunc((milliseconds % DAY) / HOUR),
    Math.trunc((milliseconds % HOUR) / MINUTE),
  ]
  const seconds = (milliseconds % MINUTE) / SECOND
  const time = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${seconds ? `${seconds}S` : ''}`
  const date = days ? `${days}D` : ''
  return `P${date}${time ? `T${time}` : ''}${date || time ? '' : 'T0S'}`
}
