import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'

/** Topics at which the stage of a shopper's page is looked at anew: what happens to payments, and moves of the clock. */
const SHOPPER_TOPICS = ['payments', 'shoppers', 'clock'] as const
type Topic = 'calls' | 'payments' | 'webhooks' | 'clock' | 'shoppers' | 'keys' | 'settings'

type FollowOptions = {
  audience: 'operators' | 'shoppers'
  topics?: readonly Topic[]
  since?: string | undefined
  signal: AbortSignal
}

/** The feature by which open pages learn what has changed in their organization. */
export type LiveChanges = {
  changes: {
    /** Where an organization is now: a page that knows it misses nothing until its stream is open. */
    position: (organizationId: string) => string
    /** Whether one more stream of an audience may be opened. */
    hasRoom: (organizationId: string, audience: FollowOptions['audience']) => boolean
    /** Topics as they change, and an empty batch now and then; ends when the reader goes or the simulator stops. */
    follow: (
      organizationId: string,
      options: FollowOptions,
    ) => AsyncIterable<{ topics: readonly Topic[]; position: string }>
  }
}

/** What the shopper's page is told: its stage, and when that ends on the organization's clock. */
type LiveStage = { stage: string; now: number; rate: number; expiresAt: number }

/** Milliseconds after which a browser whose stream broke opens it again. */
const RETRY = 1_000
const HEARTBEAT = ': nothing new\n\n'

/**
 * Responds with the stream of an operator's page: the topics that change in an organization, as server-sent events. It
 * ends where it is no longer permitted.
 */
export const respondWithChanges = (
  { changes }: LiveChanges,
  c: Context,
  organizationId: string,
  isPermitted: () => Promise<boolean>,
) =>
  stream(changes, c, organizationId, 'operators', async (write, signal) => {
    const since = c.req.header('last-event-id') || c.req.query('seen')
    for await (const { topics, position } of changes.follow(organizationId, { audience: 'operators', since, signal })) {
      if (!(await isPermitted())) return
      await write(topics.length === 0 ? HEARTBEAT : `event: changed\nid: ${position}\ndata: ${topics.join(' ')}\n\n`)
    }
  })

/**
 * Responds with the stream of a shopper's page, which needs no token: only the stage of what `look` returns, now and
 * whenever it or the clock has changed; `topics` are those at which it may. It ends where that is gone.
 */
export const respondWithStages = (
  { changes }: LiveChanges,
  c: Context,
  organizationId: string,
  look: () => Promise<LiveStage | undefined>,
  topics: readonly Topic[] = SHOPPER_TOPICS,
) =>
  stream(changes, c, organizationId, 'shoppers', async (write, signal) => {
    let told = ''
    const tell = async (isClockMoved: boolean): Promise<boolean> => {
      const shown = await look()
      if (!shown) return false
      const { stage, now, rate, expiresAt } = shown
      const news = JSON.stringify({ stage, rate, expiresAt })
      if (isClockMoved || news !== told)
        await write(`event: stage\ndata: ${JSON.stringify({ stage, now, rate, expiresAt })}\n\n`)
      else await write(HEARTBEAT)
      told = news
      return true
    }
    const since = changes.position(organizationId)
    if (!(await tell(false))) return
    const options = { audience: 'shoppers', topics, since, signal } as const
    for await (const { topics: changed } of changes.follow(organizationId, options))
      if (!(await tell(changed.includes('clock')))) return
  })

type Write = (text: string) => Promise<unknown>

const stream = (
  changes: LiveChanges['changes'],
  c: Context,
  organizationId: string,
  audience: FollowOptions['audience'],
  run: (write: Write, signal: AbortSignal) => Promise<void>,
) => {
  if (!changes.hasRoom(organizationId, audience))
    return c.text('Too many pages are open here: this one is not live until others are closed.\n', 503)
  c.header('X-Accel-Buffering', 'no') // a proxy that collects the response first would hold back every event
  return streamSSE(c, async stream => {
    const gone = new AbortController()
    stream.onAbort(() => gone.abort())
    await stream.write(`retry: ${RETRY}\n\n`)
    await run(text => stream.write(text), gone.signal).catch(() => undefined) // the browser opens it again
  })
}
