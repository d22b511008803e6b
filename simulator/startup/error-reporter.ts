import { describePostgresError } from '../store/postgres/database-errors.ts'
import { describeSqliteError } from '../store/sqlite/database-errors.ts'
import { stopwatch } from '../support/clock.ts'
import { MINUTE } from '../support/duration.ts'

type Reporter = { error(error: unknown, text?: string): void }

/** Writes errors to stderr as text, an unknown one with its stack. */
const STDERR: Reporter = {
  error: (error, text) => (text === undefined ? console.error(error) : void process.stderr.write(`${text}\n`)),
}

/**
 * Creates the reporter of the simulator's unexpected errors, to stderr or a logger: known errors of the disk or PostgreSQL in one
 * sentence and at most once a minute each, all others with their stack.
 */
export const createErrorReporter = (
  dataDir: string,
  reporter: Reporter = STDERR,
  elapsed: () => number = stopwatch(),
): ((error: unknown) => void) => {
  const lastReported = new Map<string, number>()
  return error => {
    const sentence = describeSqliteError(error, dataDir) ?? describePostgresError(error)
    if (sentence === undefined) return reporter.error(error)
    if (elapsed() < (lastReported.get(sentence) ?? Number.NEGATIVE_INFINITY) + MINUTE) return
    lastReported.set(sentence, elapsed())
    reporter.error(
      error,
      `${sentence} Until then calls that would change something are answered with 500, and their keys stay unused.`,
    )
  }
}
