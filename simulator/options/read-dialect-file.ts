import { createDialect, type Dialect } from '../../contracts/dialect/dialect.ts'
import { ProfileError, readDialectLines } from '../../contracts/harness/profile/read-profile.ts'
import { StartError } from '../support/start-error.ts'

/** Reads the dialect from the profile file that `--dialect` names, our own without a file; throws StartError. */
export const readDialectFile = (file: string | undefined): Dialect => {
  if (file === undefined) return createDialect()
  try {
    return createDialect(readDialectLines(file))
  } catch (error) {
    throw error instanceof ProfileError ? new StartError(error.message) : error
  }
}
