import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

/** Shared fixture of fuzz targets: two sandboxes and a folder, created on first use. */
export type FuzzFixture = {
  folder: string
  /** Sandbox with all three security layers of clause 5. */
  guarded(): Promise<RawSandbox>
  /** Sandbox without security layers, for calls without signatures. */
  open(): Promise<RawSandbox>
  /** Registers something to close with the fixture. */
  onClose(end: () => Promise<unknown> | unknown): void
  close(): Promise<void>
}

export const openFuzzFixture = (): FuzzFixture => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'))
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const opening = (options: Parameters<typeof openRawSandbox>[0]) => {
    let sandbox: Promise<RawSandbox> | undefined
    return () => {
      if (!sandbox) {
        sandbox = openRawSandbox(options)
        ends.push(async () => (await sandbox)?.close())
      }
      return sandbox
    }
  }
  return {
    folder,
    guarded: opening({}),
    open: opening({ config: { layers: [], plainPort: 0, webhookTimeout: 300 } }),
    onClose: end => void ends.push(end),
    close: async () => {
      for (const end of ends.toReversed()) await end()
    },
  }
}

/** Returns the unexpected errors that a fuzzed sandbox reported since the last call, in one line. */
export const reportedErrors = ({ faults }: Pick<RawSandbox, 'faults'>): string | undefined => {
  const reported = faults
    .splice(0)
    .map(error => (error instanceof Error ? (error.stack ?? error.message) : String(error)))
  return reported.length === 0
    ? undefined
    : `the sandbox reports a fault of its own: ${reported[0]?.split('\n', 3).join(' ')}`
}
