import { setTimeout as pause } from 'node:timers/promises'
import type { Exchange } from '../client/exchange.ts'
import { stopwatch } from '../client/real-time.ts'
import type { Transport } from '../client/transport.ts'
import type { Ledger, Sequel } from './ledger.ts'
import type { Profile } from './profile.ts'
import { findField } from './slots.ts'
import type { Stop } from './stop.ts'
import { PAYING, type Write, writeOf } from './writes.ts'

/** So many calls in a row without an answer, and nobody is there any more. */
const SILENT_CALLS = 5

export type Guard = ReturnType<typeof createGuard>

/**
 * Stands between all players of a run and the network: nothing goes out once the run is to end, nothing is written
 * without a line in the ledger, and no more is spent than the profile's `budgets` allow.
 */
export const createGuard = (
  profile: Profile,
  { stop, ledger, paced }: { stop: Stop; ledger: Ledger; paced: boolean },
) => {
  const made = { calls: 0, payments: 0, amount: 0 }
  const pace = createPace(paced ? profile.budgets?.callsPerSecond : undefined)
  let silent = 0

  const afford = ({ operation, amount = 0 }: Write): void => {
    if (!PAYING.includes(operation)) return
    const { payments = Number.POSITIVE_INFINITY, amount: most = Number.POSITIVE_INFINITY } = profile.budgets ?? {}
    if (made.payments + 1 > payments)
      stop.stop({ reason: `budgets.payments of ${profile.file} is spent: ${payments}`, safety: true })
    if (made.amount + Math.max(0, amount) > most)
      stop.stop({ reason: `budgets.amount of ${profile.file} is spent: ${most}`, safety: true })
    stop.throwIfStopped()
    made.payments += 1
    made.amount += Math.max(0, amount)
  }
  const heard = ({ fault }: Exchange): void => {
    silent = fault?.code === 'TIMEOUT' ? silent + 1 : 0
    if (silent >= SILENT_CALLS)
      stop.stop({
        reason: `${SILENT_CALLS} calls in a row got no answer in time: ${profile.target.baseUrl} has fallen silent`,
      })
  }
  return {
    made: made as Readonly<typeof made>,
    over: (transport: Transport, organization: string): Transport => ({
      ...transport,
      exchange: async (request, connection) => {
        await pace()
        stop.throwIfStopped()
        const write = writeOf(profile, request)
        if (write) afford(write)
        made.calls += 1
        const became = write && ledger.before(organization, write)
        const exchange = await transport.exchange(request, connection)
        if (write) became?.(sequelOf(profile, write, exchange))
        heard(exchange)
        return exchange
      },
    }),
  }
}

const sequelOf = (profile: Profile, { operation }: Write, exchange: Exchange): Omit<Sequel, 'of'> => {
  const { answer, fault } = exchange
  if (!answer) return { fault: fault?.code ?? 'nothing' }
  const made = PAYING.includes(operation) ? findField(profile, exchange, `${operation}.transactionId`) : undefined
  return { status: answer.status, ...(made === undefined ? {} : { transactionId: String(made) }) }
}

/** Lets no more calls begin in a second than asked for; all of them where nothing was. */
const createPace = (perSecond: number | undefined): (() => Promise<void>) => {
  const elapsed = stopwatch()
  let next = 0
  return async () => {
    if (perSecond === undefined) return
    const now = elapsed()
    const at = Math.max(now, next)
    next = at + 1000 / perSecond
    if (at > now) await pause(at - now)
  }
}
