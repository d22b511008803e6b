import type { SendResult, SendWebhook } from '../../simulator/webhooks/send-webhook.ts'
import type { SeededRandom } from '../support/seeded-random.ts'

/** Moments of a network at which a machine may crash. */
export type NetworkMoment = 'while a webhook is on its way' | 'after a webhook was taken'

type Parts = {
  random: SeededRandom
  /** Called at each moment; false where the machine that sends crashes at it. */
  onMoment(moment: NetworkMoment): boolean
  wait(milliseconds: number): Promise<void>
  problem(sentence: string): void
}

/** What becomes of one attempt to send a webhook. */
type Fate = 'taken' | 'taken slowly' | 'cut' | 'response lost' | 'late' | 'refused' | 'busy'

// biome-ignore format: a table reads by its columns
const FATES: readonly (readonly [weight: number, fate: Fate])[] = [
  [60, 'taken'], [8, 'taken slowly'], [8, 'cut'], [6, 'response lost'], [6, 'late'], [8, 'refused'], [4, 'busy'],
]
const DRAWN = FATES.flatMap(([weight, fate]) => Array.from({ length: weight }, () => fate))
/** Attempts in a row that may fail, so that every webhook is taken before it is dropped. */
const MOST_FAILURES = 6
const SLOW_MS = 4_000
const TIMEOUT_MS = 10_000

/** What a shop knows of a webhook: its bytes, and how often it came. */
type Taken = { body: string; times: number; acknowledged: boolean }

/** The network between a simulated sandbox and the shops' receivers. */
export type SimulatedNetwork = ReturnType<typeof createSimulatedNetwork>

/** Creates a network that loses, delays and reorders webhooks, whose receivers keep count of what came. */
export const createSimulatedNetwork = ({ random, onMoment, wait, problem }: Parts) => {
  const taken = new Map<string, Taken>()
  const failures = new Map<string, number>()
  /** Webhooks that came again although they were acknowledged, by address. */
  const again = new Map<string, number>()
  let isWhole = false

  /** The shop takes a webhook: the same id has the same bytes, and once acknowledged it comes again only late (D-101). */
  const arrive = (name: string, body: string, isLate = false): Taken => {
    const known = taken.get(name) ?? { body, times: 0, acknowledged: false }
    if (known.body !== body) problem(`the webhook ${name} came again with other bytes`)
    const [address = ''] = name.split(' ')
    if (known.acknowledged && !isLate) again.set(address, (again.get(address) ?? 0) + 1)
    known.times += 1
    taken.set(name, known)
    return known
  }
  const respond = (status: number, headers: Record<string, string> = {}): SendResult => ({
    durationMilliseconds: 1,
    response: { status, headers, body: '' },
  })
  const never = () => new Promise<SendResult>(() => undefined)
  const failed = (error: string): SendResult => ({ durationMilliseconds: 1, error })

  const FATE: Readonly<Record<Fate, (name: string, body: string) => Promise<SendResult>>> = {
    taken: async (name, body) => {
      const known = arrive(name, body)
      if (!onMoment('after a webhook was taken')) return never()
      known.acknowledged = true
      return respond(200)
    },
    'taken slowly': async (name, body) => {
      await wait(random.below(SLOW_MS))
      return FATE.taken(name, body)
    },
    cut: async () => failed('ECONNRESET: the connection failed'),
    'response lost': async (name, body) => {
      arrive(name, body)
      return failed('The connection was closed without a response.')
    },
    late: async (name, body) => {
      void wait(TIMEOUT_MS + random.below(TIMEOUT_MS)).then(() => arrive(name, body, true))
      await wait(TIMEOUT_MS)
      return failed('No response within 10 s.')
    },
    refused: async () => respond(500),
    busy: async () => respond(503, { 'retry-after': String(random.below(60)) }),
  }

  const post: SendWebhook = async (url, headers, body) => {
    const name = `${url} ${headers['webhook-id']}`
    if (!onMoment('while a webhook is on its way')) return never()
    const failing = failures.get(name) ?? 0
    const fate = isWhole || failing >= MOST_FAILURES ? 'taken' : random.pick(DRAWN)
    failures.set(name, fate === 'taken' || fate === 'taken slowly' ? 0 : failing + 1)
    return FATE[fate](name, body)
  }
  return {
    post,
    /** From now on everything arrives. */
    heal: (): void => {
      isWhole = true
    },
    /** An acknowledgement could not be saved: its webhook may come again. */
    forgetAcknowledgement: (url: string, id = ''): void => {
      const known = taken.get(`${url} ${id}`)
      if (known) known.acknowledged = false
    },
    /** Acknowledgements may have been undone by a power cut: every webhook may come again (D-112). */
    forgetAcknowledgements: (): void => {
      for (const known of taken.values()) known.acknowledged = false
    },
    /** Whether a webhook of this id came to an address. */
    isTaken: (url: string, id: string): boolean => taken.has(`${url} ${id}`),
    counts: () => ({
      taken: taken.size,
      twice: [...taken.values()].reduce((sum, { times }) => sum + times - 1, 0),
    }),
    /**
     * Webhooks that came again to one address although they were acknowledged, where that were most: to each one is sent at
     * a time, so that a crash before its attempt is saved explains one for each address.
     */
    mostAgain: () => Math.max(0, ...again.values()),
  }
}
