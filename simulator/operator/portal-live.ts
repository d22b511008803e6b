import type { ClockPort, JournalPort, PaymentsPort, ScenariosPort } from '../../hosted-pages/portal/live-port.ts'
import { parseDuration } from '../duration.ts'
import type { Operator } from './operator.ts'
import { OperatorError } from './operator-error.ts'
import { found, wish } from './portal-port-wish.ts'
import { scenarioView } from './scenario-view.ts'

/** So much of what is to come is shown beside a clock. */
const COMING = 12

/** What the pages of journal, payments, scenarios and clock need of the operator. */
export const livePortsOf = (operator: Operator) => ({
  journal: journalPortOf(operator),
  payments: paymentsPortOf(operator),
  scenarios: scenariosPortOf(operator),
  clock: clockPortOf(operator),
})

const journalPortOf = ({ calls }: Operator): JournalPort => ({
  page: calls.page,
  follow: calls.follow,
  find: (whose, callId) => found(async () => calls.find(whose, callId)),
})

const paymentsPortOf = ({ payments }: Operator): PaymentsPort => ({
  list: (organizationId, query) => wish(() => payments.list(organizationId, query)),
  timeline: (organizationId, transactionId) => found(() => payments.timeline(organizationId, transactionId)),
})

const scenariosPortOf = ({ scenarios, mocks }: Operator): ScenariosPort => ({
  all: () => scenarios.all.map(scenarioView),
  mocks: async organizationId =>
    (await mocks.list(organizationId)).map(({ steps, used = [], ...mock }) => ({
      ...mock,
      steps: Object.keys(steps),
      used,
    })),
  setMock: (organizationId, { keyType, key, ...wanted }) =>
    wish(async () => {
      await mocks.set(organizationId, { ...wanted, key: { type: keyType, value: key } })
      return true as const
    }),
})

const clockPortOf = ({ clock }: Operator): ClockPort => ({
  look: async organizationId => {
    const { now, mode, scale: rate } = await clock.look(organizationId)
    return { now, mode, rate, coming: await clock.coming(organizationId, COMING) }
  },
  move: (organizationId, move) =>
    wish(async () => {
      const { now: from } = await clock.look(organizationId)
      const { now, ran, deliveries = 0 } = await moved(clock, organizationId, move)
      return { ran, deliveries, from, now }
    }),
})

const moved: (
  clock: Operator['clock'],
  organizationId: string,
  move: Parameters<ClockPort['move']>[1],
) => Promise<{ now: number; ran: number; deliveries?: number }> = async (clock, organizationId, move) => {
  switch (move.way) {
    case 'advance': {
      const milliseconds = parseDuration(move.duration)
      if (milliseconds !== undefined) return clock.advance(organizationId, milliseconds)
      throw new OperatorError(
        'invalid',
        `${move.duration.slice(0, 40)} is no duration: give one such as PT45S, PT1H or P7D.`,
      )
    }
    case 'scale':
      return clock.scale(organizationId, Number(move.rate))
    case 'next':
      return clock.advanceToNext(organizationId)
    case 'drain':
      return clock.drain(organizationId)
    default:
      return clock.freeze(organizationId, move.way === 'freeze')
  }
}
