/** One row of two signature bases side by side; `at` is the first differing character, from 0. */
export type BaseRow = { expected?: string; signed?: string; at?: number }

/** The first difference of two signature bases; lines and columns from 1, bytes from 0. */
export type BaseDifference = { line: number; column: number; byte: number; expected: string; signed: string }

/** Aligns two signature bases line by line; lines of the same component share a row. */
export const alignBases = (expected: string, signed: string): readonly BaseRow[] => {
  const [left, right] = [linesOf(expected), linesOf(signed)]
  const rows: BaseRow[] = []
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i], right[j]]
    if (a === undefined && b !== undefined) rows.push({ signed: b })
    else if (b === undefined && a !== undefined) rows.push({ expected: a })
    else if (a !== undefined && b !== undefined) {
      const [behind, ahead] = [indexFrom(right, a, j), indexFrom(left, b, i)]
      if (behind > j && (ahead === -1 || behind - j <= ahead - i)) {
        rows.push({ signed: b })
        j += 1
        continue
      }
      if (ahead > i) {
        rows.push({ expected: a })
        i += 1
        continue
      }
      rows.push({ expected: a, signed: b, ...(a === b ? {} : { at: firstDifference(a, b) }) })
    }
    i += 1
    j += 1
  }
  return rows.map(withoutUsualEnds)
}

/** Removes the final line feed that both lines of a row have. */
const withoutUsualEnds = ({ expected, signed, at }: BaseRow): BaseRow => {
  const isUsual = [expected, signed].every(line => line === undefined || /(?<!\r)\n$/.test(line))
  const bare = (line: string | undefined) => (isUsual ? line?.slice(0, -1) : line)
  return {
    ...(expected === undefined ? {} : { expected: bare(expected) ?? '' }),
    ...(signed === undefined ? {} : { signed: bare(signed) ?? '' }),
    ...(at === undefined ? {} : { at }),
  }
}

/** Finds the first difference of two signature bases; undefined where they are equal. */
export const findBaseDifference = (expected: string, signed: string): BaseDifference | undefined => {
  if (expected === signed) return undefined
  const at = firstDifference(expected, signed)
  const before = expected.slice(0, at)
  const line = before.split('\n').length
  return {
    line,
    column: at - before.lastIndexOf('\n'),
    byte: Buffer.byteLength(before),
    expected: shown(expected, at),
    signed: shown(signed, at),
  }
}

const firstDifference = (a: string, b: string): number => {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}

const SHOWN = 24

const shown = (text: string, at: number): string => (at >= text.length ? '' : showInvisible(text.slice(at, at + SHOWN)))

/** Splits a base into lines that keep their line ends, so that these are compared. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/))

const nameOf = (line: string): string =>
  line
    .split(/:(?!\/\/)/, 1)[0]
    ?.replaceAll(/[^a-z-]/gi, '')
    .toLowerCase() ?? ''

const indexFrom = (lines: readonly string[], line: string, from: number): number =>
  lines.findIndex((other, index) => index >= from && nameOf(other) === nameOf(line))

/** Visible symbols for invisible characters. */
// biome-ignore format: a table reads by its columns
const SYMBOLS: readonly (readonly [hidden: string, sign: string])[] = [
  ['\r',     '␍'],
  ['\n',     '␊'],
  ['\t',     '␉'],
  ['\0',     '␀'],
  ['\uFEFF', '⟨BOM⟩'],
  ['\u00A0', '⍽'],
  ['\u200B', '⟨ZWSP⟩'],
]

/** Replaces invisible characters by symbols: line ends, tabs, marks, blanks at either end of a line. */
export const showInvisible = (text: string): string =>
  SYMBOLS.reduce((line, [hidden, sign]) => line.replaceAll(hidden, sign), text).replaceAll(
    /^ +|(?<! ) +(?=␍?␊?$)/g,
    blanks => '·'.repeat(blanks.length),
  )
