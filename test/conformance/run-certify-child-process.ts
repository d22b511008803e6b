import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestSimulator } from '../support/caller-stopped-simulator.ts'

const ASSAY = join(import.meta.dirname, '../../bin/assay.js')

export type CommandOutput = { code: number | null; out: string; err: string }

/** Starts `assay certify` in a child process of a test, without a terminal; `told` resolves when it has ended. */
export const startCertifyProcess = (...args: string[]): { child: ChildProcess; told: Promise<CommandOutput> } => {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...env } = process.env
  const child = spawn(process.execPath, [ASSAY, 'certify', ...args], { env })
  const told = { out: '', err: '' }
  child.stdout.on('data', text => {
    told.out += text
  })
  child.stderr.on('data', text => {
    told.err += text
  })
  return { child, told: new Promise(resolve => child.on('close', code => resolve({ code, ...told }))) }
}

export const runCertifyProcess = (...args: string[]): Promise<CommandOutput> => startCertifyProcess(...args).told

/** Returns the command-line options that point the shipped simulator profile at a running test simulator. */
export const targetOptions = ({ apiUrl, kitFolder, pagesUrl }: TestSimulator): string[] => [
  '--base-url',
  apiUrl,
  '--kit',
  kitFolder,
  '--control',
  pagesUrl,
]
