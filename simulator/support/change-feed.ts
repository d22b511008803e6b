import { pause } from './clock.ts'
import { resolvesWithin } from './resolves-within.ts'

/** Names of the kinds of change in an organization that open pages follow. */
export const TOPICS = ['calls', 'payments', 'webhooks', 'clock', 'shoppers', 'keys', 'settings'] as const
export type Topic = (typeof TOPICS)[number]

/** Who follows an organization: each audience has its own limit, so that shoppers leave room for operators. */
type Audience = 'operators' | 'shoppers'

/** What has changed since the last batch, and the position from which to follow on; without topics, a heartbeat. */
type ChangeBatch = { topics: readonly Topic[]; position: string }

type FollowOptions = {
  audience: Audience
  /** Topics to hear of; all where left out. */
  topics?: readonly Topic[] | undefined
  /** A position: where the organization is elsewhere by now, everything counts as changed. */
  since?: string | undefined
  signal: AbortSignal
}

/**
 * Feed by which open pages learn which topics of an organization have changed. Calls without a known organization have
 * the id ''.
 */
export type ChangeFeed = {
  /** Notes changes that this process made: for its followers, and for those of other replicas. */
  publish(organizationId: string, topics: readonly Topic[]): void
  /** Notes changes that another replica made. */
  receive(organizationId: string, topics: readonly Topic[]): void
  /** Names the function that takes what this process publishes to the other replicas. */
  shareBy(share: (organizationId: string, topics: readonly Topic[]) => void): void
  /** Where an organization is now. */
  position(organizationId: string): string
  /** Whether one more of an audience may follow an organization in this process. */
  hasRoom(organizationId: string, audience: Audience): boolean
  /** Batches of changes until the signal aborts or the simulator stops. A slow reader holds the names of the topics, however much happens. */
  follow(organizationId: string, options: FollowOptions): AsyncGenerator<ChangeBatch>
}

type Follower = { audience: Audience; pending: Set<Topic>; wake(): void }
type Settings = {
  /** The first position, which no earlier run has reached. */
  first: number
  /** Ends every follower. */
  closing: AbortSignal
  /** Milliseconds between two batches to a follower. */
  gap?: number
  /** Milliseconds without changes after which an empty batch is sent. */
  heartbeat?: number
  most?: Readonly<Record<Audience, number>>
}

const [GAP, HEARTBEAT] = [300, 15_000]
const MOST_FOLLOWERS = { operators: 100, shoppers: 300 } as const

/** Creates the change feed of this process. */
export const createChangeFeed = ({
  first,
  closing,
  gap = GAP,
  heartbeat = HEARTBEAT,
  most = MOST_FOLLOWERS,
}: Settings): ChangeFeed => {
  const positions = new Map<string, number>()
  const followers = new Map<string, Set<Follower>>()
  let share: Parameters<ChangeFeed['shareBy']>[0] = () => undefined

  const position = (organizationId: string): string => String(positions.get(organizationId) ?? first)
  const receive: ChangeFeed['receive'] = (organizationId, topics) => {
    positions.set(organizationId, (positions.get(organizationId) ?? first) + 1)
    for (const follower of followers.get(organizationId) ?? []) {
      for (const topic of topics) follower.pending.add(topic)
      follower.wake()
    }
  }
  const add = (organizationId: string, follower: Follower): (() => void) => {
    const all = followers.get(organizationId) ?? new Set()
    followers.set(organizationId, all.add(follower))
    return () => void (all.delete(follower) && all.size === 0 && followers.delete(organizationId))
  }

  return {
    receive,
    publish: (organizationId, topics) => {
      receive(organizationId, topics)
      share(organizationId, topics)
    },
    shareBy: act => {
      share = act
    },
    position,
    hasRoom: (organizationId, audience) =>
      [...(followers.get(organizationId) ?? [])].filter(one => one.audience === audience).length < most[audience],
    follow: async function* (organizationId, { audience, topics: wanted = TOPICS, since, signal: gone }) {
      const signal = AbortSignal.any([gone, closing])
      const follower: Follower = { audience, pending: new Set(), wake: () => undefined }
      if (since !== undefined && since !== position(organizationId)) follower.pending = new Set(wanted)
      const remove = add(organizationId, follower)
      try {
        while (!signal.aborted) {
          const { promise: woken, resolve } = Promise.withResolvers<void>()
          follower.wake = resolve
          const topics = wanted.filter(topic => follower.pending.delete(topic))
          follower.pending.clear()
          if (topics.length > 0) {
            yield { topics, position: position(organizationId) }
            await pause(gap, signal)
          } else if (!(await resolvesWithin(woken, heartbeat, signal)) && !signal.aborted)
            yield { topics: [], position: position(organizationId) }
        }
      } finally {
        remove()
      }
    },
  }
}
