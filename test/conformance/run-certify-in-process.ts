import { vi } from 'vitest'
import { main } from '../../contracts/certify-command.ts'
import type { CommandOutput } from './run-certify-child-process.ts'

/**
 * Runs `assay certify` in the process of a test, which is faster than a child process; returns exit code and output.
 */
export const runCertifyInProcess = (...argv: string[]): Promise<CommandOutput> => runMainInProcess(main, argv)

/** Runs the main function of a command in the process of a test; returns exit code and output. */
export const runMainInProcess = async (
  main: (argv: string[]) => Promise<number>,
  argv: readonly string[],
): Promise<CommandOutput> => {
  const told = { out: '', err: '' }
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    told.out += text
    return true
  })
  const err = vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    told.err += text
    return true
  })
  try {
    return { code: await main([...argv]), ...told }
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
}
