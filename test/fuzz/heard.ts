import type { Socket } from 'node:net'
import { type Answer, listen } from '../wire/talk.ts'

/** What is announced and never comes is waited for: after so many milliseconds of silence that is no find. */
const QUIET = 250

/** All answers until the other side closes or, once it has spoken, has nothing more to say. */
export const heard = async (socket: Socket, head = false, patience = 5_000): Promise<readonly Answer[]> => {
  let timer = setTimeout(() => socket.destroy(), patience)
  socket.on('data', () => {
    clearTimeout(timer)
    timer = setTimeout(() => socket.destroy(), QUIET)
  })
  const { answers } = await listen(socket, { answers: Number.POSITIVE_INFINITY, untilClosed: true, head })
  clearTimeout(timer)
  return answers
}
