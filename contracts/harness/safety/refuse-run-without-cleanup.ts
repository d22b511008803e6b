import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { shellWord } from '../../protocol/shell-word.ts'
import { PENDING_FILE, REPORT_FILES, readReportFile } from '../report/report-folder.ts'
import { UsageError } from '../run/command-errors.ts'
import { findRemainingResources, isToCancel } from './find-remaining-resources.ts'
import { parseWriteLedger, unreadableLines } from './write-ledger.ts'

/**
 * Throws a UsageError where a folder holds a run that was cut off before its clean-up, or one that waits for resume, and
 * that left something: its ledger, which another run would delete, alone names what that is.
 */
export const mustBeCleanedUp = (folder: string): void => {
  const has = (name: string): boolean => existsSync(join(folder, name))
  const waits = has(PENDING_FILE)
  if (!has(REPORT_FILES.ledger) || (has(REPORT_FILES.report) && !waits)) return
  const text = readReportFile(folder, REPORT_FILES.ledger)
  const { payments, nameless, keys, webhooks } = findRemainingResources(parseWriteLedger(text))
  const left = [payments.filter(isToCancel), nameless, keys, webhooks, unreadableLines(text)].flat()
  if (left.length === 0) return
  const [run, cure] = waits
    ? [
        'waits for assay certify resume',
        `resume it, or remove ${PENDING_FILE} and run assay certify cleanup ${shellWord(folder)}`,
      ]
    : ['was cut off', `run assay certify cleanup ${shellWord(folder)} first`]
  throw new UsageError(
    `${folder} holds a run that ${run}, and its ${REPORT_FILES.ledger} alone names what that left: ${cure}, or name another folder.`,
  )
}
