import { type Clock, LAST_INSTANT } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { type DueWorkSource, findFirstDue, runAllDue } from './due-work.ts'

/** Runs of due work that move the clock of an organization with them. */
export type RunsUpToInstant = {
  /**
   * Moves the clock from due time to due time up to this instant, and at last to it, and runs all due work on the way,
   * each item at its own time and jobs first; without an instant it ends at the last due time. A receiver that leaves an
   * attempt without a response is not waited for again. Throws where the run is ended.
   */
  runUpTo(organizationId: string, instant: number | undefined, moveClockTo: MoveClock): Promise<RunCounts>
  /** Ends the runs of an organization that are under way, as its state and clock are to be replaced. */
  endRuns(organizationId: string): Promise<void>
}

/** How many items ran, how many of them were not jobs, and the receivers whose items run on their own. */
export type RunCounts = { ran: number; others: number; unresponsive?: readonly string[] }

type MoveClock = (instant: number) => Promise<void>

type Parts = {
  clock: Clock
  jobs: DueWorkSource
  others: readonly DueWorkSource[]
  isStopped: () => boolean
  /** Called after a run: with whether there are receivers that were not waited for. */
  afterRun: (organizationId: string, isUnresponsive: boolean) => Promise<void>
}

/** A run under way: the latest instant that it moved the clock to, and that move. */
type Run = { organizationId: string; reached: number; move: Promise<void>; isEnded: boolean }

/** Creates the runs of due work up to an instant. */
export const createRunsUpToInstant = ({ clock, jobs, others, isStopped, afterRun }: Parts): RunsUpToInstant => {
  const runs = new Set<Run>()

  const move = async (run: Run, instant: number, moveClockTo: MoveClock): Promise<void> => {
    const isSetBack = clock.now(run.organizationId) < run.reached // by another replica
    if (run.isEnded || isSetBack)
      throw new ControlError(
        'conflict',
        'The organization was reset, restored or removed while its clock moved: move it again.',
      )
    run.move = moveClockTo(instant)
    await run.move
    run.reached = instant
  }

  const runTo = async (run: Run, instant: number | undefined, moveClockTo: MoveClock): Promise<RunCounts> => {
    const { organizationId } = run
    const last = instant ?? LAST_INSTANT
    const unresponsive = new Set<string>()
    let [ran, besides, quiet] = [0, 0, false]
    while (!quiet && !isStopped()) {
      const before = ran
      ran += await jobs.runDue(organizationId, run.reached)
      const beside = await runAllDue(others, organizationId, run.reached, unresponsive)
      ;[ran, besides] = [ran + beside, besides + beside]
      const due = await findFirstDue([jobs, ...others], organizationId)
      const next = due && due.at <= last ? due.at : undefined
      quiet = ran === before && next === undefined // after a round that ran something, check again
      if (!quiet) await move(run, next ?? run.reached, moveClockTo)
    }
    await move(run, instant ?? run.reached, moveClockTo)
    await afterRun(organizationId, unresponsive.size > 0)
    return { ran, others: besides, unresponsive: [...unresponsive] }
  }

  return {
    runUpTo: async (organizationId, instant, moveClockTo) => {
      const reached = Math.min(clock.now(organizationId), instant ?? LAST_INSTANT)
      const run = { organizationId, reached, move: Promise.resolve(), isEnded: false }
      runs.add(run)
      return runTo(run, instant, moveClockTo).finally(() => runs.delete(run))
    },
    endRuns: async organizationId => {
      const ended = [...runs].filter(run => run.organizationId === organizationId)
      for (const run of ended) run.isEnded = true
      await Promise.allSettled(ended.map(run => run.move))
    },
  }
}
