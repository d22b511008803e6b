/**
 * Wraps a task so that concurrent runs of one name are coalesced: all callers that arrive during a run share one
 * following run. Without it, fifty concurrent calls would each try to run the same jobs.
 */
export const coalesceByName = <Result>(run: (name: string) => Promise<Result>): ((name: string) => Promise<Result>) => {
  const running = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, Promise<Result>>()
  const begin = (name: string): Promise<Result> => {
    waiting.delete(name)
    const result = run(name).finally(() => running.get(name) === result && running.delete(name))
    running.set(name, result)
    return result
  }
  return name => {
    const before = running.get(name)
    const shared = waiting.get(name)
    if (!before || shared) return shared ?? begin(name)
    const next = before.then(
      () => begin(name),
      () => begin(name),
    )
    waiting.set(name, next)
    return next
  }
}
