import type { Exchange } from '../../client/http-exchange.ts'
import type { Transport } from '../../client/transport.ts'
import { sleep, stopwatch } from '../../client/wall-clock.ts'
import { startsPayment } from '../../operations.ts'
import type { Profile } from '../profile/profile.ts'
import { findField, isDecline } from '../profile/response-fields-and-line-advice.ts'
import type { StopSignal } from '../run/stop-signal.ts'
import { readWriteCall, type WriteCall } from './parse-write-call.ts'
import { totalSpent } from './totals-of-write-ledger.ts'
import type { WriteLedger, WriteOutcome } from './write-ledger.ts'

/** Number of consecutive timeouts after which the service counts as gone and the run is stopped. */
const MAX_CONSECUTIVE_TIMEOUTS = 5

/** Bytes of responses that a run keeps in memory, and the longest that it takes in once it has kept them. */
const [MAX_KEPT_BYTES, MAX_LATER_BYTES] = [16 * 1024 * 1024, 16 * 1024]

/**
 * Creates the guard around every transport of a run: it sends nothing after the stop but clean-up, records each write in
 * the ledger first, and keeps to the profile's `budgets` and pace. Long responses beyond what a run can keep count as none.
 */
export const createTransportGuard = (
  profile: Profile,
  { stop, ledger, paced }: { stop: StopSignal; ledger: WriteLedger; paced: boolean },
) => {
  const { payments, amounts } = totalSpent(ledger.lines)
  const counters = { calls: 0, payments, amount: Object.values(amounts).reduce((sum, amount) => sum + amount, 0) }
  const throttle = createThrottle(paced ? profile.budgets?.callsPerSecond : undefined)
  let timeouts = 0
  let keptBytes = 0

  const keepWithin = (exchange: Exchange): Exchange => {
    const length = exchange.response?.body.length ?? 0
    if (keptBytes + length <= MAX_KEPT_BYTES || length <= MAX_LATER_BYTES) {
      keptBytes += length
      return exchange
    }
    const { response, ...rest } = exchange
    const message = `the response has ${length} bytes, and the run already keeps ${keptBytes} of others`
    return { ...rest, transportError: { code: 'ANSWER_TOO_LONG', message } }
  }
  const reserveBudget = ({ operation, amount = 0 }: WriteCall): void => {
    if (!startsPayment(operation)) return
    const { payments = Number.POSITIVE_INFINITY, amount: most = Number.POSITIVE_INFINITY } = profile.budgets ?? {}
    if (counters.payments + 1 > payments)
      stop.stop({ reason: `budgets.payments of ${profile.file} is spent: ${payments}`, safety: true })
    if (counters.amount + Math.max(0, amount) > most)
      stop.stop({ reason: `budgets.amount of ${profile.file} is spent: ${most}`, safety: true })
    stop.throwIfStopped()
    counters.payments += 1
    counters.amount += Math.max(0, amount)
  }
  /** Throws where the ledger could not take the line of a write, which has stopped the run: it is not sent. */
  const ensureRecorded = (): void => {
    if (stop.cause) ledger.withdraw()
    stop.throwIfStopped()
  }
  const countTimeouts = ({ transportError }: Exchange): void => {
    timeouts = transportError?.code === 'TIMEOUT' ? timeouts + 1 : 0
    if (timeouts >= MAX_CONSECUTIVE_TIMEOUTS)
      stop.stop({
        reason: `${MAX_CONSECUTIVE_TIMEOUTS} calls in a row got no response in time: ${profile.target.baseUrl} no longer responds`,
      })
  }
  return {
    counters: counters as Readonly<typeof counters>,
    /** Wraps a transport; `dialect` is the profile as it is known by then, where it is still being learned. */
    wrap: (transport: Transport, organization: string, dialect = profile): Transport => ({
      ...transport,
      exchange: async (request, connection) => {
        await throttle(request.forCleanup ? undefined : stop.signal)
        if (!request.forCleanup) stop.throwIfStopped()
        const write = readWriteCall(dialect, request)
        if (write) reserveBudget(write)
        counters.calls += 1
        return stop.call(async () => {
          const recordOutcome = write && ledger.record(organization, write)
          if (write && !request.forCleanup) ensureRecorded()
          const exchange = await transport.exchange(request, connection)
          if (write) recordOutcome?.(outcomeOf(dialect, write, exchange))
          countTimeouts(exchange)
          return keepWithin(exchange)
        })
      },
    }),
  }
}

const outcomeOf = (profile: Profile, { operation }: WriteCall, exchange: Exchange): Omit<WriteOutcome, 'of'> => {
  const { response, transportError } = exchange
  if (!response) return { fault: transportError?.code ?? 'nothing' }
  const made = startsPayment(operation) ? findField(profile, exchange, `${operation}.transactionId`) : undefined
  return {
    status: response.status,
    ...(isDecline(profile, exchange) ? { declined: true as const } : {}),
    ...(made === undefined ? {} : { transactionId: String(made) }),
  }
}

/** Creates a delay that lets at most this many calls start per second; no delay where undefined, or once `ended` aborts. */
const createThrottle = (perSecond: number | undefined): ((ended: AbortSignal | undefined) => Promise<void>) => {
  const elapsed = stopwatch()
  let next = 0
  return async ended => {
    if (perSecond === undefined) return
    const now = elapsed()
    const at = Math.max(now, next)
    next = at + 1000 / perSecond
    if (at > now) await sleep(at - now, ended).catch(() => undefined)
  }
}
