import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Credentials, credentialsFromKit } from '../../contracts/client/credentials.ts'
import type { Config } from '../../simulator/options.ts'
import { type Simulator, type SimulatorParts, startSimulator } from '../../simulator/simulator.ts'
import { storeFor } from './open-test-store.ts'

/** A simulator of the test's own: free ports, a data folder that goes with it. */
export type TestSimulator = Simulator & { credentials: Credentials; dataDir: string; stop(): Promise<void> }

/** Starts one; `parts` may depend on the data folder, so that a test can open the store itself. */
export const startTestSimulator = async (
  overrides: Partial<Config> = {},
  parts:
    | Partial<SimulatorParts>
    | ((dataDir: string) => Partial<SimulatorParts> | Promise<Partial<SimulatorParts>>) = {},
): Promise<TestSimulator> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-test-'))
  const chosen = typeof parts === 'function' ? await parts(dataDir) : parts
  const simulator = await startSimulator(
    { dataDir, apiPort: 0, pagesPort: 0, ...(await storeFor(dataDir)), ...overrides },
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
