import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Lets a file operation fail while `act` runs where it comes to a file of this name, but `spared` times, as on a full disk, which may take the beginning of a text. */
export const withFailingFileOperation = async <Result>(
  step: 'writeFileSync' | 'appendFileSync' | 'renameSync',
  name: string,
  act: () => Promise<Result>,
  { spared = 0, leaving }: { spared?: number; leaving?: string } = {},
): Promise<Result> => {
  const real = fs[step] as (...args: unknown[]) => void
  let left = spared
  const failing = (...args: unknown[]) => {
    if (String(args[0]).includes(name) && left-- <= 0) {
      if (leaving !== undefined) real(args[0], leaving)
      throw Object.assign(new Error('disk full'), { code: 'ENOSPC' })
    }
    real(...args)
  }
  Object.assign(fs, { [step]: failing })
  syncBuiltinESMExports()
  return act().finally(() => {
    Object.assign(fs, { [step]: real })
    syncBuiltinESMExports()
  })
}
