import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/postgres.ts'
import { type Server, startCommand } from '../servers.ts'
import { installed } from './install.ts'
import { PATH, RIVALS, type Rival } from './rivals.ts'

/** Those that could be had, and why the others could not. */
export type Had = { had: { name: string; start(): Promise<Server> }[]; missing: string[] }

/** Gets every rival; what cannot be had is told and left out. */
export const rivalsToMeasure = async (folder: string, tell: (line: string) => void): Promise<Had> => {
  const found: Had = { had: [], missing: [] }
  for (const rival of RIVALS) {
    try {
      tell(`${rival.name} ${rival.version}: from the npm registry, or from the run before`)
      const module = await installed(rival)
      found.had.push({ name: `${rival.name} ${rival.version}`, start: () => startRival(rival, module, folder) })
    } catch (error) {
      found.missing.push(`${rival.name} ${rival.version} could not be had: ${(error as Error).message}.`)
    }
  }
  return found
}

const startRival = async (rival: Rival, module: string, parent: string): Promise<Server> => {
  const folder = mkdtempSync(join(parent, 'rival-'))
  const [port, spare] = [await freePort(), await freePort()]
  return startCommand(rival.command({ module, folder, port, spare }), { port, path: PATH, cwd: folder })
}
