import { isNewEnough, newerNodeSentence } from '../bin/run-with-newer-node.js'
import type { Kit } from './installation/merchant-kit.ts'
import type { Config } from './options/options.ts'
import { readProgramOptions } from './options/read-program-options.ts'
import { startSimulator as start } from './simulator.ts'
import { StartError } from './support/start-error.ts'
import { createTemporaryDataFolder } from './support/temporary-data-folder.ts'

export type { Kit } from './installation/merchant-kit.ts'

/**
 * Every option of `assay serve`, in camel case (`apiPort`); durations are milliseconds, lists are arrays. What each means
 * is in docs/reference.md.
 */
export type SimulatorOptions = Partial<Config>

/** A sandbox that runs in this process, as a program embeds it. */
export type RunningSimulator = {
  apiUrl: string
  /** Base URL of the shopper's pages, the portal and control: what connectSandbox takes. */
  pagesUrl: string
  plainUrl: string | undefined
  /** Credentials of demo-merchant with the PEM texts inside; the same as files in `kitFolder`. */
  kit: Kit
  kitFolder: string
  /** Lets calls under way finish, then stops; a temporary data folder is deleted. */
  close(): Promise<void>
}

/**
 * Starts a sandbox in this process, for a program that embeds it: by default on free ports and in a temporary folder.
 * Rejects with StartError, whose message is one sentence, as when an option is wrong or a port is taken.
 */
export const startSimulator = async (options: SimulatorOptions = {}): Promise<RunningSimulator> => {
  if (!isNewEnough()) throw new StartError(newerNodeSentence())
  const given = readProgramOptions(options)
  const temporary = given.dataDir === undefined ? createTemporaryDataFolder() : undefined
  const remove = () => temporary?.remove()
  try {
    const { apiUrl, pagesUrl, plainUrl, kit, kitFolder, close } = await start({
      apiPort: 0,
      pagesPort: 0,
      ...(temporary ? { dataDir: temporary.path } : {}),
      ...given,
    })
    return { apiUrl, pagesUrl, plainUrl, kit, kitFolder, close: () => close().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}
