import { vi } from 'vitest'

type Output = { code: number; out: string; err: string }

/** Runs the function of a command in the process of a test, which spares a start; returns exit code and output. */
export const runInProcess = async (main: (argv: string[]) => Promise<number>, argv: string[]): Promise<Output> => {
  const told = { out: '', err: '' }
  const spies = (['stdout', 'stderr'] as const).map(name =>
    vi.spyOn(process[name], 'write').mockImplementation(text => {
      told[name === 'stdout' ? 'out' : 'err'] += text
      return true
    }),
  )
  try {
    return { code: await main(argv), ...told }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
