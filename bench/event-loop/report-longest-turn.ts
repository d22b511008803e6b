// Loaded into a sandbox with --import: each message from the parent process gets the longest turn of the event loop since the last.
let longestMs = 0
let last = process.threadCpuUsage()

const endTurn = (): void => {
  const { user, system } = process.threadCpuUsage(last)
  longestMs = Math.max(longestMs, (user + system) / 1_000)
  last = process.threadCpuUsage()
}

const turn = (): void => {
  endTurn()
  setImmediate(turn).unref()
}

process.on('message', () => {
  endTurn()
  process.send?.(longestMs)
  longestMs = 0
})
process.channel?.unref()
turn()
