import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Credentials, credentialsFromKit } from '../../contracts/client/credentials.ts'
import type { Config } from '../../simulator/options/options.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import type { SimulatorParts } from '../../simulator/startup/startup-context.ts'
import { storeOptionFor } from './open-test-store.ts'

/** A simulator on free ports with a temporary data folder that `stop` removes. */
export type TestSimulator = Simulator & { credentials: Credentials; dataDir: string; stop(): Promise<void> }

/**
 * Starts a simulator for a test that stops it itself; `parts` may depend on the data folder, as for a store the test
 * opens.
 */
export const startTestSimulator = async (
  overrides: Partial<Config> = {},
  parts:
    | Partial<SimulatorParts>
    | ((dataDir: string) => Partial<SimulatorParts> | Promise<Partial<SimulatorParts>>) = {},
): Promise<TestSimulator> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-test-'))
  const chosen = typeof parts === 'function' ? await parts(dataDir) : parts
  const simulator = await startSimulator(
    { dataDir, apiPort: 0, pagesPort: 0, ...(await storeOptionFor(dataDir)), ...overrides },
    chosen,
  )
  return {
    ...simulator,
    credentials: credentialsFromKit(simulator.kit),
    dataDir,
    stop: async () => {
      await simulator.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
