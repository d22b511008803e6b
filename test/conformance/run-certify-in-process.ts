import { main } from '../../contracts/certify-command.ts'
import { runInProcess } from '../support/run-in-process.ts'
import type { CommandOutput } from './run-certify-child-process.ts'

/** Runs `assay certify` in the process of a test; returns exit code and output. */
export const runCertifyInProcess = (...argv: string[]): Promise<CommandOutput> => runInProcess(main, argv)
