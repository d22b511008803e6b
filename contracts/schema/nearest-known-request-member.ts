/**
 * Finds the known request member that an unknown one was probably meant to be: a name with few mistakes, of the same
 * object before others. Paths are dotted; returns undefined where nothing is near.
 */
export const findNearestMember = (unknown: string, known: readonly string[]): string | undefined => {
  const name = lettersOf(unknown)
  const tolerated = Math.max(1, Math.floor(name.length / 5))
  const near = known
    .filter(path => path !== unknown)
    .map(path => ({
      path,
      mistakes: countMistakes(name, lettersOf(path)),
      isElsewhere: parentOf(path) !== parentOf(unknown),
    }))
    .filter(({ mistakes }) => mistakes <= tolerated)
    .sort((a, b) => Number(a.isElsewhere) - Number(b.isElsewhere) || a.mistakes - b.mistakes)
  return near[0]?.path
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')))

/** The last name of a path without case and separators, so that `auto_capture` is `autoCapture`; at most 64 letters. */
const lettersOf = (path: string): string =>
  path
    .slice(path.lastIndexOf('.') + 1)
    .replaceAll(/[_\s-]/g, '')
    .toLowerCase()
    .slice(0, 64)

/** Counts the letters to insert, drop, replace or swap with their neighbour until one word is the other. */
const countMistakes = (a: string, b: string): number => {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
