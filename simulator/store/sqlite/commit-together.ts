import type { Database } from 'better-sqlite3'

type Decided = { result: unknown; save?: (() => void) | undefined }
type Piece = {
  decide: () => Decided
  decided?: Decided
  failed?: { error: unknown }
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

/** Turns of the event loop that are waited for more: these in any case, and as many again while more keeps coming. */
const TURNS = 5

/**
 * One transaction for all units of work that come one close upon the other (D-112): a commit writes every page
 * that it touched, and neighbours touch the same ones. Each unit is all or nothing by itself, sees those before it,
 * and nobody hears of a result before it is on disk, where `checkPlace` says that it is to stay; `saved` hears of how many.
 */
export const commitTogether = (
  database: Database,
  checkPlace: () => void = () => undefined,
  saved: (units: number) => void = () => undefined,
) => {
  let waiting: Piece[] = []

  const decide = (piece: Piece): Decided | undefined => {
    try {
      piece.decided = piece.decide()
    } catch (error) {
      piece.failed = { error } // refused before anything was written
    }
    return piece.decided
  }
  const run = database.transaction((batch: readonly Piece[]): void => {
    for (const piece of batch) {
      const decided = piece.failed ? undefined : (piece.decided ?? decide(piece))
      try {
        decided?.save?.()
      } catch (error) {
        piece.failed = { error }
        throw error
      }
    }
    if (writes(batch) > 0) checkPlace()
  })
  /** Without the one that cannot be saved, which is dearer than a savepoint for each, and never happens. */
  const runWhatCan = (batch: readonly Piece[]): void => {
    for (;;) {
      const before = failures(batch)
      try {
        run(batch)
        return
      } catch (error) {
        if (failures(batch) === before) throw error
      }
    }
  }
  const settle = (batch: readonly Piece[]): void => {
    try {
      runWhatCan(batch)
      for (const { decided, failed, resolve, reject } of batch)
        failed ? reject(failed.error) : resolve(decided?.result as never)
    } catch (error) {
      // Nothing of it was saved, as where the disk is full: each for itself, lest reads fail with a write.
      if (batch.length > 1) for (const { decide, resolve, reject } of batch) settle([{ decide, resolve, reject }])
      else for (const { reject } of batch) reject(error)
    }
  }
  const commit = (): void => {
    const batch = waiting
    waiting = []
    settle(batch)
    saved(writes(batch))
  }

  const gather = (before: number, turns: number): void => {
    if (turns > TURNS || (turns > 1 && waiting.length > before)) setImmediate(gather, waiting.length, turns - 1)
    else commit()
  }

  return {
    /** Decides on a unit of work and saves what it leaves behind; its result, when that is on disk. */
    perform: <Result>(decide: () => { result: Result; save?: (() => void) | undefined }): Promise<Result> =>
      new Promise<Result>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(gather, 0, 2 * TURNS + 1)
        waiting.push({ decide, resolve, reject })
      }),
    /** Commits what waits, and waits for nobody. */
    flush: commit,
  }
}

const writes = (batch: readonly Piece[]): number =>
  batch.filter(({ failed, decided }) => !failed && decided?.save).length

const failures = (batch: readonly Piece[]): number => batch.filter(({ failed }) => failed).length
