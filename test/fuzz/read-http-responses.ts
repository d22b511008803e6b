import type { Socket } from 'node:net'
import { type RawResponse, readResponses } from '../support/raw-http.ts'

/** What is announced and never comes is waited for: after so many milliseconds of silence that is no find. */
const QUIET = 250

/** Reads all HTTP responses from a socket until it closes or is idle after a response. */
export const collectResponses = async (
  socket: Socket,
  head = false,
  patience = 5_000,
): Promise<readonly RawResponse[]> => {
  let timer = setTimeout(() => socket.destroy(), patience)
  socket.on('data', () => {
    clearTimeout(timer)
    timer = setTimeout(() => socket.destroy(), QUIET)
  })
  const { answers } = await readResponses(socket, { answers: Number.POSITIVE_INFINITY, untilClosed: true, head })
  clearTimeout(timer)
  return answers
}
