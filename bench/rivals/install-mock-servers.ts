import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../test/support/free-port.ts'
import { type Server, startCommand } from '../load/start-servers.ts'
import { installPackage } from './install-package.ts'
import { MOCK_SERVERS, type MockServer, STUB_PATH } from './mock-server-start-commands.ts'

/** Mock servers that were installed, and in `missing` why others could not be. */
type InstalledMockServers = { had: { name: string; start(): Promise<Server> }[]; missing: string[] }

/** Installs every mock server; one that cannot be installed is reported in `missing`. */
export const installMockServers = async (
  folder: string,
  tell: (line: string) => void,
): Promise<InstalledMockServers> => {
  const found: InstalledMockServers = { had: [], missing: [] }
  for (const rival of MOCK_SERVERS) {
    try {
      tell(`${rival.name} ${rival.version}: from the npm registry, or from the run before`)
      const module = await installPackage(rival)
      found.had.push({ name: `${rival.name} ${rival.version}`, start: () => startRival(rival, module, folder) })
    } catch (error) {
      found.missing.push(`${rival.name} ${rival.version} could not be had: ${(error as Error).message}.`)
    }
  }
  return found
}

const startRival = async (rival: MockServer, module: string, parent: string): Promise<Server> => {
  const folder = mkdtempSync(join(parent, 'rival-'))
  const [port, spare] = [await findFreePort(), await findFreePort()]
  return startCommand(rival.command({ module, folder, port, spare }), { port, path: STUB_PATH, cwd: folder })
}
