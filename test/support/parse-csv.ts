/** Parses CSV (RFC 4180) into records for tests, without code of the product; the first row holds the member names. */
export const parseCsv = (text: string): Record<string, string>[] => {
  const [header = [], ...rows] = parseCsvRows(text)
  return rows.map(row => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])))
}

export const parseCsvRows = (text: string): string[][] => {
  const rows: string[][] = []
  const row: string[] = []
  let rest = text
  while (rest !== '') {
    const [taken, quoted, plain, end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? []
    if (taken === undefined) throw new Error(`This is no CSV: ${JSON.stringify(rest.slice(0, 40))}`)
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push(row.splice(0))
    rest = rest.slice(taken.length)
  }
  return rows
}
