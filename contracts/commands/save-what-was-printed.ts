import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { visibleText } from '../protocol/visible-text.ts'

/**
 * Saves what a command has printed, each file on its own: one that cannot be written hides neither another nor a failure.
 * Returns the exit code: that of invalid options where one cannot be written and nothing has failed.
 */
export const saveWhatWasPrinted = async (code: number, ...saves: (() => unknown)[]): Promise<number> => {
  let isSaved = true
  for (const save of saves)
    try {
      await save()
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      process.stderr.write(`${visibleText(error.message)}\n`)
      isSaved = false
    }
  return isSaved || code === EXIT_CODES.failed ? code : EXIT_CODES.usage
}
