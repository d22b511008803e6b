import { appendFileSync, truncateSync } from 'node:fs'
import { nowIso } from '../../client/wall-clock.ts'
import { matchesSavedFileSchema } from '../report/saved-file-schemas.ts'
import type { WriteCall } from './parse-write-call.ts'

/** A signing key or webhook that was registered through the control address, and that cleanup must remove. */
type ControlRegistration = { operation: 'registerKey' | 'subscribe'; id: string }

/** Ledger line recorded before a write is sent; its outcome is a later line, so that a crash loses nothing. */
type WriteLedgerEntry = { line: number; at: string; organization: string } & (WriteCall | ControlRegistration)
/** `declined` where a success says that the write was not carried out (7.2). */
export type WriteOutcome = {
  of: number
  status?: number
  declined?: true
  fault?: string
  transactionId?: string
  undone?: true
}
export type WriteLedgerLine = WriteLedgerEntry | WriteOutcome

export type WriteLedger = ReturnType<typeof createWriteLedger>

/**
 * Creates a ledger of a run's writes in memory and, where named, in a JSONL file; each line is appended before its
 * call.
 */
export const createWriteLedger = (file?: string, written: readonly WriteLedgerLine[] = []) => {
  const lines: WriteLedgerLine[] = [...written]
  const append = (line: WriteLedgerLine): void => {
    lines.push(line)
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
  return {
    lines: lines as readonly WriteLedgerLine[],
    /** Records a write that is about to be sent; returns the function that records its outcome. */
    record: (
      organization: string,
      what: WriteCall | ControlRegistration,
    ): ((became: Omit<WriteOutcome, 'of'>) => void) => {
      const before = lines.findLast(known => 'line' in known)?.line ?? 0
      const line = Math.max(before, lines.length) + 1
      append({ line, at: nowIso(), organization, ...what })
      return became => append({ of: line, ...became })
    },
    /** Records the id of a payment that its response did not tell. */
    recordFoundId: ({ line, became }: { line: number; became?: WriteOutcome }, transactionId: string): void =>
      append({ ...became, of: line, transactionId }),
    /** Records that a registration was removed. */
    recordRemoval: (operation: ControlRegistration['operation'], id: string): void => {
      const entry = lines.find(line => 'id' in line && line.operation === operation && line.id === id)
      if (entry && 'line' in entry) append({ of: entry.line, undone: true })
    },
  }
}

/** Creates a ledger that goes on in the file of an earlier run, which has this text; a last line that a crash cut off goes. */
export const continueWriteLedger = (file: string, text: string): WriteLedger => {
  const last = text.slice(text.lastIndexOf('\n') + 1)
  if (last !== '') {
    truncateSync(file, Buffer.byteLength(text) - Buffer.byteLength(last))
    if (parseLine(last)) appendFileSync(file, `${last}\n`)
  }
  return createWriteLedger(file, parseWriteLedger(text))
}

/** Parses the text of a write ledger file; invalid lines are left out, such as a last one cut off by a crash. */
export const parseWriteLedger = (text: string): WriteLedgerLine[] =>
  text.split('\n').flatMap(line => parseLine(line) ?? [])

/** Returns the numbers of the invalid lines of a write ledger file, but for a last one cut off by a crash. */
export const unreadableLines = (text: string): number[] =>
  text.split('\n').flatMap((line, index, { length }) => {
    const isCutOff = index === length - 1 && line.startsWith('{')
    return line === '' || isCutOff || parseLine(line) ? [] : [index + 1]
  })

const parseLine = (line: string): WriteLedgerLine | undefined => {
  try {
    const read: unknown = JSON.parse(line)
    return matchesSavedFileSchema('ledgerLine', read) ? (read as WriteLedgerLine) : undefined
  } catch {
    return undefined
  }
}

/** Returns the writes and registrations of a write ledger, each with its outcome where one is recorded. */
export const writeLedgerEntries = (
  lines: readonly WriteLedgerLine[],
): (WriteLedgerEntry & { became?: WriteOutcome })[] => {
  const sequels = new Map(lines.flatMap(line => ('of' in line ? [[line.of, line] as const] : [])))
  return lines.flatMap(line => {
    if ('of' in line) return []
    const became = sequels.get(line.line)
    return [{ ...line, ...(became && { became }) }]
  })
}
