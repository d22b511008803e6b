import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestSimulator } from '../support/simulator.ts'

const ASSAY = join(import.meta.dirname, '../../bin/assay.js')

export type Told = { code: number | null; out: string; err: string }

/** Starts the command as a person does, without a terminal. */
export const start = (...args: string[]): { child: ChildProcess; told: Promise<Told> } => {
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

export const assay = (...args: string[]): Promise<Told> => start(...args).told

/** The options that point the simulator's profile at this one. */
export const at = ({ apiUrl, kitFolder, pagesUrl }: TestSimulator): string[] => [
  '--base-url',
  apiUrl,
  '--kit',
  kitFolder,
  '--control',
  pagesUrl,
]
