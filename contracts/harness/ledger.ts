import { appendFileSync } from 'node:fs'
import { nowText } from '../client/real-time.ts'
import { isShaped } from './saved-shape.ts'
import type { Write } from './writes.ts'

/** What only a control address can do, and what undoes it. */
export type Deed = { operation: 'registerKey' | 'subscribe'; id: string }

/** Written before a write is sent; what became of it follows on a line of its own, so that nothing is lost by a crash. */
export type Entry = { line: number; at: string; organization: string } & (Write | Deed)
export type Sequel = { of: number; status?: number; fault?: string; transactionId?: string; undone?: true }
export type LedgerLine = Entry | Sequel

export type Ledger = ReturnType<typeof createLedger>

/** A ledger in memory, and in a file where one is named, after the lines that it has: each is there before its call. */
export const createLedger = (file?: string, written: readonly LedgerLine[] = []) => {
  const lines: LedgerLine[] = [...written]
  const append = (line: LedgerLine): void => {
    lines.push(line)
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
  return {
    lines: lines as readonly LedgerLine[],
    /** Notes what is about to be done and hands back how to note what became of it. */
    before: (organization: string, what: Write | Deed): ((became: Omit<Sequel, 'of'>) => void) => {
      const line = lines.length + 1
      append({ line, at: nowText(), organization, ...what })
      return became => append({ of: line, ...became })
    },
    /** Notes that what was registered is there no more. */
    undone: (operation: Deed['operation'], id: string): void => {
      const entry = lines.find(line => 'id' in line && line.operation === operation && line.id === id)
      if (entry && 'line' in entry) append({ of: entry.line, undone: true })
    },
  }
}

/** The lines of a ledger as text; a last line that a crash cut off is left out. */
export const linesOf = (text: string): LedgerLine[] =>
  text.split('\n').flatMap(line => {
    try {
      const read: unknown = JSON.parse(line)
      return isShaped('ledgerLine', read) ? [read as LedgerLine] : []
    } catch {
      return []
    }
  })

export const entriesOf = (lines: readonly LedgerLine[]): (Entry & { became?: Sequel })[] => {
  const sequels = new Map(lines.flatMap(line => ('of' in line ? [[line.of, line] as const] : [])))
  return lines.flatMap(line => {
    if ('of' in line) return []
    const became = sequels.get(line.line)
    return [{ ...line, ...(became && { became }) }]
  })
}
