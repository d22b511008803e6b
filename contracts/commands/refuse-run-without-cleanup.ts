import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PENDING_FILE, REPORT_FILES, readReportFile } from '../harness/report/report-folder.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { findRemainingResources, isToCancel } from '../harness/safety/find-remaining-resources.ts'
import { parseWriteLedger, unreadableLines } from '../harness/safety/write-ledger.ts'
import { shellWord } from '../protocol/shell-word.ts'

/**
 * Throws a UsageError where a folder holds a run that was cut off before its clean-up and left something: its ledger, which
 * another run would delete, alone names what that is.
 */
export const mustBeCleanedUp = (folder: string): void => {
  const has = (name: string): boolean => existsSync(join(folder, name))
  if (!has(REPORT_FILES.ledger) || has(REPORT_FILES.report) || has(PENDING_FILE)) return
  const text = readReportFile(folder, REPORT_FILES.ledger)
  const { payments, nameless, keys, webhooks } = findRemainingResources(parseWriteLedger(text))
  const left = [payments.filter(isToCancel), nameless, keys, webhooks, unreadableLines(text)].flat()
  if (left.length > 0)
    throw new UsageError(
      `${folder} holds a run that was cut off, and its ${REPORT_FILES.ledger} alone names what that left: run assay certify cleanup ${shellWord(folder)} first, or name another folder.`,
    )
}
