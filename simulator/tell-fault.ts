import { stopwatch } from './clock.ts'
import { MINUTE } from './duration.ts'
import { troubleWithPostgres } from './store/postgres/trouble.ts'
import { troubleOf } from './store/sqlite/trouble.ts'

type Write = (text: string) => void

/**
 * Tells on stderr what fails for a reason of ours: trouble with the disk or PostgreSQL in one sentence, and no more
 * than once in a minute, everything else in full.
 */
export const createFaultTeller = (
  dataDir: string,
  write: Write = text => void process.stderr.write(text),
  elapsed: () => number = stopwatch(),
): ((error: unknown) => void) => {
  const told = new Map<string, number>()
  return error => {
    const trouble = troubleOf(error, dataDir) ?? troubleWithPostgres(error)
    if (trouble === undefined) return console.error(error)
    if (elapsed() < (told.get(trouble) ?? Number.NEGATIVE_INFINITY) + MINUTE) return
    told.set(trouble, elapsed())
    write(
      `${trouble} Until then calls that would change something are answered with 500, and their keys stay unused.\n`,
    )
  }
}
