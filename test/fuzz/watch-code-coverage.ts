import { globSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Watches V8 block coverage of the source files that match these globs during fuzzing; counts newly executed blocks.
 */
export const watchCoverage = async (covers: readonly string[]) => {
  const files = new Set(globSync([...covers], { cwd: ROOT }).map(file => pathToFileURL(join(ROOT, file)).href))
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const known = new Set<string>()
  const reached = new Set<string>()
  return {
    /** Number of blocks that ran for the first time since the last call. */
    fresh: async (): Promise<number> => {
      const before = reached.size
      const { result } = await session.post('Profiler.takePreciseCoverage')
      for (const { url, functions } of result.filter(script => files.has(script.url)))
        for (const { count, startOffset, endOffset } of functions.flatMap(({ ranges }) => ranges)) {
          const block = `${url}:${startOffset}-${endOffset}`
          known.add(block)
          if (count > 0) reached.add(block)
        }
      return reached.size - before
    },
    share: (): number => reached.size / Math.max(known.size, 1),
  }
}

export type Coverage = Awaited<ReturnType<typeof watchCoverage>>
