import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Global setup of vitest: creates the folder in which test files share what is costly to make; returns its removal. */
export default (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-run-'))
  process.env.ASSAY_TEST_RUN_FOLDER = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
