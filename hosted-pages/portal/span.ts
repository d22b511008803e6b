const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

/** A length of time with its two largest units, in symbols that every language shares: `1 h 30 min`, `4.5 s`, `12 ms`. */
export const span = (milliseconds: number): string => {
  if (milliseconds >= 1_000 && milliseconds < 60_000) return `${Number((milliseconds / 1_000).toFixed(1))} s`
  let left = milliseconds < 1_000 ? Math.round(milliseconds) : 1_000 * Math.round(milliseconds / 1_000)
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? [`${count} ${unit}`] : []
  })
  return parts.slice(0, parts[0]?.endsWith('ms') ? 1 : 2).join(' ') || '0 s'
}
