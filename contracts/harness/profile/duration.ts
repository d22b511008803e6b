const DURATION = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** Seconds of an ISO 8601 duration of days, hours, minutes and seconds, such as PT10M; NaN where it is none. */
export const durationSeconds = (duration: string): number => {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = DURATION.exec(duration) ?? [undefined, Number.NaN]
  return Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
