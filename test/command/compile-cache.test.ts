import { expect, test } from 'vitest'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Starts a sandbox, opens a page, ends it; returns what Node says of its compile cache. */
const cacheOfOneStart = async (NODE_COMPILE_CACHE: string): Promise<string> => {
  const environment = { NODE_COMPILE_CACHE, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const { child, said, ended, pagesUrl } = await startServe(temporaryFolder(), [], environment)
  await fetch(pagesUrl)
  child.kill()
  expect(await ended).toBe(0)
  return said.stdout + said.stderr
}

test('a start uses what an earlier one compiled, of the start and of the first page', async () => {
  const folder = temporaryFolder()
  await cacheOfOneStart(folder)
  const said = await cacheOfOneStart(folder)
  expect(said).not.toMatch(/rejected/)
  expect(said).toMatch(/simulator\/simulator\.ts was accepted/)
  expect(said).toMatch(/hosted-pages\/load-pages\.ts was accepted/)
})
