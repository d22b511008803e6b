/** One row of two lists of lines laid side by side: a line of both, of the left one only, or of the right one only. */
export type AlignedLines = { left?: string; right?: string }

/** Aligns lines by their longest common subsequence, in quadratic time; where lines differ, those of the left come first. */
export const alignLines = (left: readonly string[], right: readonly string[]): AlignedLines[] => {
  const common = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      (common[i] as Uint32Array)[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const rows: AlignedLines[] = []
  for (let [i, j] = [0, 0]; i < left.length || j < right.length; ) {
    const [one, other] = [left[i], right[j]]
    if (one !== undefined && one === other) {
      rows.push({ left: one, right: one })
      i += 1
      j += 1
    } else if (one !== undefined && (other === undefined || at(i + 1, j) >= at(i, j + 1))) {
      rows.push({ left: one })
      i += 1
    } else {
      rows.push({ right: other ?? '' })
      j += 1
    }
  }
  return rows
}
