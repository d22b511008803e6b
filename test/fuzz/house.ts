import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSandbox, type Sandbox } from '../wire/sandbox.ts'

/** What parts share while they are tried: two sandboxes and a folder, made when they are first asked for. */
export type House = {
  folder: string
  /** All three layers of clause 5. */
  guarded(): Promise<Sandbox>
  /** None of them: a call costs no signature. */
  open(): Promise<Sandbox>
  /** Something to end with the house. */
  onClose(end: () => Promise<unknown> | unknown): void
  close(): Promise<void>
}

export const openHouse = (): House => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'))
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const opening = (options: Parameters<typeof openSandbox>[0]) => {
    let sandbox: Promise<Sandbox> | undefined
    return () => {
      if (!sandbox) {
        sandbox = openSandbox(options)
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

/** The faults that a sandbox reported of itself since the last time, in one line. */
export const faultsOf = ({ faults }: Pick<Sandbox, 'faults'>): string | undefined => {
  const told = faults.splice(0).map(error => (error instanceof Error ? (error.stack ?? error.message) : String(error)))
  return told.length === 0 ? undefined : `the sandbox reports a fault of its own: ${told[0]?.split('\n', 3).join(' ')}`
}
