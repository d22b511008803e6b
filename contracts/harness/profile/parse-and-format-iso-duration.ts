const DURATION = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** Converts whole seconds to an ISO 8601 duration, such as P7D or PT1H30M. */
export const toDuration = (seconds: number): string => {
  const parts = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  const [days, ...times] = parts.map((count, index) => (count > 0 ? `${count}${'DHMS'[index]}` : ''))
  const time = times.join('')
  return `P${days}${time === '' && days !== '' ? '' : `T${time === '' ? '0S' : time}`}`
}

/**
 * Converts an ISO 8601 duration of days, hours, minutes and seconds, such as PT10M, to seconds; NaN where it is none.
 */
export const durationSeconds = (duration: string): number => {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = DURATION.exec(duration) ?? [undefined, Number.NaN]
  return Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
