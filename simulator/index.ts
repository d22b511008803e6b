import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kit } from './operator/kit.ts'
import type { Config } from './options.ts'
import { startSimulator as start } from './simulator.ts'

export type { Kit } from './operator/kit.ts'

/** Every option of `assay serve`, in camel case; durations are milliseconds, lists are arrays. */
export type SimulatorOptions = Partial<Config>

export type RunningSimulator = {
  apiUrl: string
  /** The shopper's pages, the portal and control: what connectSandbox wants. */
  pagesUrl: string
  plainUrl: string | undefined
  /** Credentials of demo-merchant with the PEM texts inside; the same as files in `kitFolder`. */
  kit: Kit
  kitFolder: string
  /** Lets calls under way finish. State that was kept in a temporary folder goes with it. */
  close(): Promise<void>
}

/**
 * Starts a sandbox in this process: on free ports and in a temporary folder, unless told otherwise. Rejects with one
 * sentence that says what is wrong, such as a port that is taken.
 */
export const startSimulator = async (options: SimulatorOptions = {}): Promise<RunningSimulator> => {
  const temporary = options.dataDir === undefined ? mkdtempSync(join(tmpdir(), 'assay-')) : undefined
  const remove = () => temporary && rmSync(temporary, { recursive: true, force: true })
  try {
    const { apiUrl, pagesUrl, plainUrl, kit, kitFolder, close } = await start({
      apiPort: 0,
      pagesPort: 0,
      ...(temporary ? { dataDir: temporary } : {}),
      ...options,
    })
    return { apiUrl, pagesUrl, plainUrl, kit, kitFolder, close: () => close().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}
