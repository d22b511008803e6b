import type { Database } from 'better-sqlite3'

type Decided = { result: unknown; save?: (() => void) | undefined }
type QueuedUnit = {
  decide: () => Decided
  decided?: Decided
  failed?: { error: unknown }
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

/** Number of turns of the event loop to wait for more units of work; the wait starts again while more arrive. */
const TURNS = 5

/**
 * Creates the group commit: units of work that arrive close together share one SQLite transaction, as their writes
 * touch the same pages (D-112); alone, a unit costs half as much again. Each unit is atomic and sees those before it;
 * results are released after the commit. `checkFiles` may throw to prevent a commit; `saved` gets the number of units
 * that wrote, and `committed` is called before the results of a batch that wrote are released.
 */
export const createGroupCommit = (
  database: Database,
  checkFiles: () => void = () => undefined,
  saved: (units: number) => void = () => undefined,
  committed: () => void = () => undefined,
) => {
  let queue: QueuedUnit[] = []

  const decide = (unit: QueuedUnit): Decided | undefined => {
    try {
      unit.decided = unit.decide()
    } catch (error) {
      unit.failed = { error } // it failed before anything was written
    }
    return unit.decided
  }
  const run = database.transaction((batch: readonly QueuedUnit[]): void => {
    for (const unit of batch) {
      const decided = unit.failed ? undefined : (unit.decided ?? decide(unit))
      try {
        decided?.save?.()
      } catch (error) {
        unit.failed = { error }
        throw error
      }
    }
    if (writeCount(batch) > 0) checkFiles()
  })
  /** Repeats the transaction without units whose writes fail; a savepoint for each unit would cost every commit. */
  const runWithoutFailing = (batch: readonly QueuedUnit[]): void => {
    for (;;) {
      const before = failureCount(batch)
      try {
        run(batch)
        return
      } catch (error) {
        if (failureCount(batch) === before) throw error
      }
    }
  }
  const settle = (batch: readonly QueuedUnit[]): void => {
    try {
      runWithoutFailing(batch)
      if (writeCount(batch) > 0) committed()
      for (const { decided, failed, resolve, reject } of batch)
        failed ? reject(failed.error) : resolve(decided?.result as never)
    } catch (error) {
      // Nothing was saved, as with a full disk: each unit is tried alone, so that reads do not fail with a write.
      if (batch.length > 1) for (const { decide, resolve, reject } of batch) settle([{ decide, resolve, reject }])
      else for (const { reject } of batch) reject(error)
    }
  }
  const commit = (): void => {
    const batch = queue
    queue = []
    settle(batch)
    saved(writeCount(batch))
  }

  const gather = (before: number, turns: number): void => {
    if (turns > TURNS || (turns > 1 && queue.length > before)) setImmediate(gather, queue.length, turns - 1)
    else commit()
  }

  return {
    /** Runs `decide` and its `save` in the next transaction; resolves with the result after the commit. */
    transact: <Result>(decide: () => { result: Result; save?: (() => void) | undefined }): Promise<Result> =>
      new Promise<Result>((resolve, reject) => {
        if (queue.length === 0) setImmediate(gather, 0, 2 * TURNS + 1)
        queue.push({ decide, resolve, reject })
      }),
    /** Commits the queued units at once. */
    flush: commit,
  }
}

const writeCount = (batch: readonly QueuedUnit[]): number =>
  batch.filter(({ failed, decided }) => !failed && decided?.save).length

const failureCount = (batch: readonly QueuedUnit[]): number => batch.filter(({ failed }) => failed).length
