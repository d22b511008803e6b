// Loaded into a sandbox with --import: each message from the parent process gets the longest turn of the event loop since the last.
let longestMs = 0
let last = process.threadCpuUsage()

const turn = (): void => {
  const { user, system } = process.threadCpuUsage(last)
  longestMs = Math.max(longestMs, (user + system) / 1_000)
  last = process.threadCpuUsage()
  setImmediate(turn).unref()
}

process.on('message', () => {
  process.send?.(longestMs)
  longestMs = 0
})
process.channel?.unref()
turn()
