import { setTimeout as pause } from 'node:timers/promises'
import { TokenRefused } from '../../contracts/client/call-errors.ts'
import type { ReceivedResponse } from '../crash/client-call-record.ts'
import { ReadRefused, type SandboxClient, SandboxGone } from '../crash/sandbox-client.ts'

/** What an outage test's clients observed: responses, 500s, missing responses, longest call. */
export type OutageObservations = { answers: number; refused: number; unanswered: number; longestMs: number }
export const newOutageObservations = (): OutageObservations => ({ answers: 0, refused: 0, unanswered: 0, longestMs: 0 })

type RetryingClientOptions = {
  shops: () => readonly SandboxClient[]
  observations: OutageObservations
  problem: (sentence: string) => void
}

/** Milliseconds after which a retried call is given up. */
const GIVE_UP_MS = 90_000
const AGAIN_AFTER_MS = 100

/**
 * Creates an outage test's client that uses the replicas in turn and retries under the same key after 500 or no
 * response.
 */
export const createRetryingClient = ({ shops, observations, problem }: RetryingClientOptions): SandboxClient => {
  let turn = 0
  const next = (): SandboxClient => {
    const all = shops()
    turn += 1
    return all[turn % all.length] as SandboxClient
  }

  /** The client of the first replica; all sign alike. */
  const one = () => shops()[0] as SandboxClient

  const failureOf = (answer: unknown, error: unknown): 'refused' | 'unanswered' | undefined => {
    if (error instanceof SandboxGone) return 'unanswered'
    if (error instanceof ReadRefused && error.status >= 500) return 'refused'
    if (error instanceof TokenRefused)
      return refusal(error.exchange.response?.status, String(error.exchange.response?.body))
    if (error) throw error
    const { status = 200, text } = (answer ?? {}) as Partial<ReceivedResponse>
    return text === undefined ? (status >= 500 ? 'refused' : undefined) : refusal(status, text)
  }

  /** 8: what fails for a reason of the service's own is 500/9999. */
  const refusal = (status = 0, text = ''): 'refused' | undefined => {
    if (status < 500 || status === 501) return undefined
    const { statusInfo } = JSON.parse(text) as { statusInfo?: { reasonCode?: string | number } }
    if (status !== 500 || String(statusInfo?.reasonCode) !== '9999')
      problem(`an outage was answered with ${status}: ${text}`)
    return 'refused'
  }

  const withRetries =
    <Given extends unknown[], Answer>(ask: (shop: SandboxClient, ...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      const begun = performance.now()
      for (;;) {
        const asked = performance.now()
        const [answer, error] = await ask(next(), ...given).then(
          answer => [answer, undefined] as const,
          (error: unknown) => [undefined, error] as const,
        )
        observations.longestMs = Math.max(observations.longestMs, performance.now() - asked)
        const what = failureOf(answer, error)
        if (what === undefined) {
          observations.answers += 1
          return answer as Answer
        }
        observations[what] += 1
        if (performance.now() - begun > GIVE_UP_MS) throw new Error(`a call was ${what} for too long: ${error}`)
        await pause(AGAIN_AFTER_MS)
      }
    }

  const control = withRetries((shop: SandboxClient, path: string, body?: object) =>
    shop.control(path, body),
  ) as SandboxClient['control']
  return {
    control,
    events: withRetries((shop, id: string) => shop.events(id)),
    status: withRetries((shop, id: string) => shop.status(id)),
    found: withRetries((shop, reference: string) => shop.found(reference)),
    send: withRetries((shop, sent: Parameters<SandboxClient['send']>[0]) => shop.send(sent)),
    clock: async advance => {
      const { body } = await control<{ now: string }>('clock', advance === undefined ? undefined : { advance })
      return Date.parse(body.now)
    },
    initiate: (purchase, blik) => one().initiate(purchase, blik, control),
    act: (...wanted) => one().act(...wanted),
    close: () => undefined,
  }
}
