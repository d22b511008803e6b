/** One line of two bases side by side; `at` is the character, from 0, where they part. */
export type BaseRow = { expected?: string; signed?: string; at?: number }

/** Where two bases part for the first time, lines and characters from 1, bytes from 0. */
export type Difference = { line: number; column: number; byte: number; expected: string; signed: string }

/** Puts two bases side by side, line by line; lines of the same name stand in one row. */
export const rowsOf = (expected: string, signed: string): readonly BaseRow[] => {
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

/** A line feed at the end of both is what should be there, and says nothing. */
const withoutUsualEnds = ({ expected, signed, at }: BaseRow): BaseRow => {
  const isUsual = [expected, signed].every(line => line === undefined || /(?<!\r)\n$/.test(line))
  const bare = (line: string | undefined) => (isUsual ? line?.slice(0, -1) : line)
  return {
    ...(expected === undefined ? {} : { expected: bare(expected) ?? '' }),
    ...(signed === undefined ? {} : { signed: bare(signed) ?? '' }),
    ...(at === undefined ? {} : { at }),
  }
}

/** The first place where two bases differ, or undefined where they are the same. */
export const differenceOf = (expected: string, signed: string): Difference | undefined => {
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

const shown = (text: string, at: number): string => (at >= text.length ? '' : visible(text.slice(at, at + SHOWN)))

/** Keeps line ends in the lines, so that what differs in them is seen. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/))

const nameOf = (line: string): string =>
  line
    .split(/:(?!\/\/)/, 1)[0]
    ?.replaceAll(/[^a-z-]/gi, '')
    .toLowerCase() ?? ''

const indexFrom = (lines: readonly string[], line: string, from: number): number =>
  lines.findIndex((other, index) => index >= from && nameOf(other) === nameOf(line))

/** Signs for what cannot be seen. */
// biome-ignore format: a table reads by its columns
const SIGNS: readonly (readonly [hidden: string, sign: string])[] = [
  ['\r',     '␍'],
  ['\n',     '␊'],
  ['\t',     '␉'],
  ['\0',     '␀'],
  ['\uFEFF', '⟨BOM⟩'],
  ['\u00A0', '⍽'],
  ['\u200B', '⟨ZWSP⟩'],
]

/** A line with signs for what cannot be seen: blanks at its ends, line ends, tabs, marks. */
export const visible = (text: string): string =>
  SIGNS.reduce((line, [hidden, sign]) => line.replaceAll(hidden, sign), text).replaceAll(/^ +| +(?=␍?␊?$)/g, blanks =>
    '·'.repeat(blanks.length),
  )
