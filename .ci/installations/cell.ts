/** What came of one way to install, reach or call the sandbox. */
export type Cell =
  | { kind: 'paid'; seconds: number; megabytes?: number }
  | { kind: 'unsupported' | 'not tried' | 'failed'; sentence: string }

/** A row of a table: what was tried, and one cell for each of the table's ways. */
export type Row = { names: readonly string[]; cells: readonly Cell[] }

/** A table of cells with the headings of its columns. */
export type Table = { title: string; about: string; headings: readonly string[]; rows: readonly Row[] }

/** Waits for a payment; returns its cell, or what was said where nothing was paid. */
export const timed = async (pay: () => Promise<{ stdout: string; stderr: string }>): Promise<Cell> => {
  const start = performance.now()
  const { stdout, stderr } = await pay()
  const seconds = (performance.now() - start) / 1_000
  return isPaid(stdout) ? { kind: 'paid', seconds } : { kind: 'failed', sentence: reasonIn(stderr || stdout) }
}

/** Whether a program says that its payment came through. */
export const isPaid = (text: string): boolean => text.includes('SETTLED')

/** The sentence in the output of what failed: its error, else its last line. */
export const reasonIn = (text: string): string =>
  (/^\w*Error.*$/m.exec(text)?.[0] ?? text.trim().split('\n').at(-1) ?? '').slice(0, 160)

/** A cell as text: `paid after 9 s, 62 MB`, or why it is none; `note` numbers a sentence that stands below the table. */
const cellText = (cell: Cell, note?: (sentence: string) => number): string => {
  if (cell.kind !== 'paid')
    return note === undefined ? `${cell.kind}: ${cell.sentence}` : `${cell.kind} [${note(cell.sentence)}]`
  const seconds = cell.seconds < 9.5 ? cell.seconds.toFixed(1) : String(Math.round(cell.seconds))
  return `paid after ${seconds} s${cell.megabytes === undefined ? '' : `, ${cell.megabytes} MB`}`
}

/** The lines of a table, and the sentences that stand below one of several ways. */
const linesOf = ({ rows }: Table) => {
  const notes: string[] = []
  const note = (sentence: string): number => {
    if (!notes.includes(sentence)) notes.push(sentence)
    return notes.indexOf(sentence) + 1
  }
  const lines = rows.map(({ names, cells }) => [
    ...names,
    ...cells.map(cell => cellText(cell, cells.length > 1 ? note : undefined)),
  ])
  return { lines, notes: notes.map((sentence, at) => `[${at + 1}] ${sentence}`) }
}

/** A table as aligned text for a terminal. */
export const tableText = (table: Table): string => {
  const { lines, notes } = linesOf(table)
  const all = [table.headings, ...lines]
  const widths = table.headings.map((_, column) => Math.max(...all.map(line => (line[column] ?? '').length)))
  const padded = (line: readonly string[]) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')
  const indented = [...all.map(padded), ...notes].map(line => `  ${line.trimEnd()}\n`)
  return `${table.title}\n\n${indented.join('')}`
}

/** A table as Markdown. */
export const tableMarkdown = (table: Table): string => {
  const { lines, notes } = linesOf(table)
  const row = (texts: readonly string[]) => `| ${texts.map(text => text.replaceAll('|', '\\|')).join(' | ')} |\n`
  const head = `## ${table.title}\n\n${table.about}\n\n${row(table.headings)}${row(table.headings.map(() => '---'))}`
  return `${head}${lines.map(row).join('')}${notes.map(note => `\n${note}\n`).join('')}`
}
