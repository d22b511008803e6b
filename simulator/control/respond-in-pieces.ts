import type { Context } from 'hono'
import type { ApiBindings } from '../http/api-call.ts'

/** Characters from which on a piece of a response is written, and the next made once the client has read it. */
const PIECE = 65_536

/**
 * Responds with a text of any length that is made as the client reads it, each piece in a turn of its organization. The
 * first is made before the response begins, so that what it refuses has its own status.
 */
export const respondInPieces = async (
  c: Context,
  parts: AsyncGenerator<string>,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): Promise<Response> => {
  let first: string | undefined = await pieceOf(parts)
  const inTurn = c.get('inTurn')
  const { outgoing } = c.env as ApiBindings
  const next = () => inTurn(() => pieceOf(parts))
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async controller => {
        const piece = first ?? (await next().catch(() => outgoing.destroy() && ''))
        first = undefined
        if (piece === '') controller.close()
        else controller.enqueue(Buffer.from(piece))
      },
      cancel: () => void parts.return(undefined),
    },
    { highWaterMark: 0 },
  )
  return c.body(body, 200, headers)
}

const pieceOf = async (parts: AsyncGenerator<string>): Promise<string> => {
  let piece = ''
  while (piece.length < PIECE) {
    const { done, value } = await parts.next()
    if (done) break
    piece += value
  }
  return piece
}
