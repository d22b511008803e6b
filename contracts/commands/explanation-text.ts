const WIDTH = 10

/**
 * Formats an explanation by `assay certify explain` as a heading and named rows; further lines of a value are aligned
 * with its first.
 */
export const explanationText = (heading: string, rows: readonly (readonly [name: string, value: string])[]): string =>
  `${heading}\n\n${rows.map(([name, value]) => `${name.padEnd(WIDTH)}${aligned(value)}\n`).join('')}`

const aligned = (value: string): string => value.replaceAll('\n', `\n${' '.repeat(WIDTH)}`)
