import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Lets a file operation fail while `act` runs where it comes to a file of this name, as on a full disk. */
export const withFailingFileOperation = async <Result>(
  step: 'writeFileSync' | 'renameSync',
  name: string,
  act: () => Promise<Result>,
): Promise<Result> => {
  const real = fs[step] as (...args: unknown[]) => void
  const failing = (...args: unknown[]) => {
    if (String(args[0]).includes(name)) throw Object.assign(new Error('disk full'), { code: 'ENOSPC' })
    real(...args)
  }
  Object.assign(fs, { [step]: failing })
  syncBuiltinESMExports()
  return act().finally(() => {
    Object.assign(fs, { [step]: real })
    syncBuiltinESMExports()
  })
}
