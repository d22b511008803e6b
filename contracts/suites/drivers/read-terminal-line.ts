import { once } from 'node:events'

let typed = ''

/** Reads the next line of stdin; undefined where stdin has ended or the signal aborts first. */
export const readTerminalLine = async (signal: AbortSignal): Promise<string | undefined> => {
  for (;;) {
    const end = typed.indexOf('\n')
    if (end >= 0) {
      const line = typed.slice(0, end)
      typed = typed.slice(end + 1)
      return line.trim()
    }
    const more = await nextChunk(signal)
    if (more === undefined) return undefined
    typed += more
  }
}

const nextChunk = async (signal: AbortSignal): Promise<string | undefined> => {
  const { stdin } = process
  if (stdin.readableEnded || stdin.destroyed || signal.aborted) return undefined
  const either = new AbortController()
  const options = { signal: AbortSignal.any([signal, either.signal]) }
  try {
    const ended = once(stdin, 'end', options).then(() => undefined)
    const given = once(stdin, 'data', options).then(([chunk]) => String(chunk))
    stdin.resume()
    return await Promise.race([given, ended])
  } catch {
    return undefined
  } finally {
    either.abort()
    stdin.pause()
  }
}
