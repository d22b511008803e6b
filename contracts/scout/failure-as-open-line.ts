import { CallError } from '../client/call-errors.ts'
import { Blocked, Inconclusive, Untestable, Withheld } from '../harness/judge/verdict-errors.ts'
import type { ProbeResult } from './probe-findings.ts'

/** Turns the failure of a probe into an open line, which begins with `about`; any other error is thrown. */
export const failureAsOpenLine = <Result extends ProbeResult>(
  probing: Promise<Result>,
  about = '',
): Promise<Result | ProbeResult> =>
  probing.catch(error => {
    if (
      error instanceof CallError ||
      error instanceof Blocked ||
      error instanceof Untestable ||
      error instanceof Withheld ||
      error instanceof Inconclusive
    )
      return { found: [], open: [`${about}${error.message}`] }
    throw error
  })
