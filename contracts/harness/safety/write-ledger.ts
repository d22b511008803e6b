import { appendFileSync, existsSync, statSync, truncateSync } from 'node:fs'
import { nowIso } from '../../client/wall-clock.ts'
import { orUsageError } from '../report/read-and-write-text-files.ts'
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

type LedgerOptions = {
  /** Lines of an earlier run in the file. */
  written?: readonly WriteLedgerLine[]
  /** Called with a sentence without its full stop where the file cannot take a line, such as on a full disk. */
  onUnwritten?(reason: string): void
}

/**
 * Creates a ledger of a run's writes in memory and, where named, in a JSONL file; each line is appended before its
 * call. A line that the file cannot take is kept in memory alone.
 */
export const createWriteLedger = (file?: string, { written = [], onUnwritten }: LedgerOptions = {}) => {
  const lines: WriteLedgerLine[] = [...written]
  const unwritten = new Set<number>()
  const append = (line: WriteLedgerLine): void => {
    lines.push(line)
    if (file === undefined || ('of' in line && unwritten.has(line.of))) return
    try {
      appendLine(file, line)
    } catch (error) {
      if ('line' in line) unwritten.add(line.line)
      onUnwritten?.((error as Error).message.replace(/\.$/, ''))
    }
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
    /** Takes the last line back, of a write that is not sent after all. */
    withdraw: (): void => {
      const last = lines.pop()
      if (last && 'line' in last) unwritten.delete(last.line)
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

/** Cuts a file to a length where that is possible. */
const cutTo = (file: string, length: number): void => {
  try {
    truncateSync(file, length)
  } catch {
    // What made the line fail is what is told.
  }
}

/** Appends a line whole or not at all; throws a UsageError where the file cannot take it. */
const appendLine = (file: string, line: WriteLedgerLine): void => {
  const length = existsSync(file) ? statSync(file).size : 0
  orUsageError(file, 'written', () => {
    try {
      appendFileSync(file, `${JSON.stringify(line)}\n`)
    } catch (error) {
      cutTo(file, length)
      throw error
    }
  })
}

/**
 * Creates a ledger that goes on in the file of an earlier run, which has this text; a last line that a crash cut off goes.
 */
export const continueWriteLedger = (
  file: string,
  text: string,
  onUnwritten?: LedgerOptions['onUnwritten'],
): WriteLedger => {
  const last = text.slice(text.lastIndexOf('\n') + 1)
  const isCutOff = last !== '' && !parseLine(last)
  if (isCutOff)
    orUsageError(file, 'written', () => truncateSync(file, Buffer.byteLength(text) - Buffer.byteLength(last)))
  else if (last !== '') orUsageError(file, 'written', () => appendFileSync(file, '\n'))
  return createWriteLedger(file, { written: parseWriteLedger(text), ...(onUnwritten && { onUnwritten }) })
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
