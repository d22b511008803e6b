/** The signals that end a command in order; a terminal that is closed sends SIGHUP. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Milliseconds for which a repeated signal is the same: npm, `timeout` and a launcher pass on what their group has got. */
const SAME_SIGNAL_MS = 500

/**
 * Calls `act` for each SIGINT, SIGTERM and SIGHUP that does not follow another within half a second; returns a function
 * that ends this, not before such a repetition would have come.
 */
export const onTerminationSignals = (act: (signal: NodeJS.Signals) => void): (() => void) => {
  let isSame = false
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isSame) return
    isSame = true
    setTimeout(() => {
      isSame = false
    }, SAME_SIGNAL_MS).unref()
    act(signal)
  }
  const end = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return () => void (isSame ? setTimeout(end, SAME_SIGNAL_MS).unref() : end())
}

/** Waits for the first SIGINT, SIGTERM or SIGHUP and returns its name; one that comes half a second later ends the process. */
export const firstTerminationSignal = (): Promise<NodeJS.Signals> =>
  new Promise(resolve => {
    const end = onTerminationSignals(signal => {
      end()
      resolve(signal)
    })
  })
