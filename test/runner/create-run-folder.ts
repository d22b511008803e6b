import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux keeps files in memory, so that no test waits for the disk at each commit. */
const MEMORY = '/dev/shm'
/** Type of a file system in memory, by statfs(2). */
const TMPFS = 0x01021994
/** What the files of a run take, in bytes, with room to spare; containers often have 64 MiB. */
const ENOUGH = 4 * 2 ** 30

/**
 * Global setup of vitest: creates the folder of all temporary files of the run, among them those that test files share
 * as they are costly to make; returns its removal.
 */
export default (): (() => void) => {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? folderInMemory() ?? tmpdir(), 'assay-run-'))
  chmodSync(folder, 0o755) // PostgreSQL runs as another user
  process.env.TMPDIR = folder
  process.env.ASSAY_TEST_RUN_FOLDER = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

const folderInMemory = (): string | undefined => {
  try {
    const { type, bsize, bavail } = statfsSync(MEMORY)
    return type === TMPFS && bsize * bavail > ENOUGH ? MEMORY : undefined
  } catch {
    return undefined
  }
}
