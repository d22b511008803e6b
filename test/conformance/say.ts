import { vi } from 'vitest'
import { main } from '../../contracts/cli.ts'
import type { Told } from './assay.ts'

/** The command within this process: quicker than a process of its own, and the same from its arguments on. */
export const say = async (...argv: string[]): Promise<Told> => {
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
    return { code: await main(argv), ...told }
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
}
