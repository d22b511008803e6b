import { formatNumber } from '../report/format-table-row.ts'

/**
 * Figures of the simulation runs of the service, counted over all their seeds: days, calls, webhooks, crashes and
 * problems.
 */
export type SimulationFigures = {
  firstSeed: number
  seeds: number
  days: number
  calls: number
  unanswered: number
  webhooks: number
  webhooksTwice: number
  kills: number
  powerCuts: number
  lostWrites: number
  fullDisks: number
  /** Crashes by the moment at which they came. */
  moments: Readonly<Record<string, number>>
  problems: number
}

/** Formats the figures of simulations as a text table. */
export const simulationTable = (figures: SimulationFigures): string => {
  const rows: readonly (readonly [string, number])[] = [
    ['simulated days', Math.floor(figures.days)],
    ['calls of shops', figures.calls],
    ['  without a response', figures.unanswered],
    ['webhooks taken', figures.webhooks],
    ['  arrivals after the first', figures.webhooksTwice],
    ['processes killed', figures.kills],
    ['power cuts', figures.powerCuts],
    ['  acknowledged writes that they undid', figures.lostWrites],
    ...Object.entries(figures.moments)
      .sort(([, one], [, other]) => other - one)
      .map(([moment, count]) => [`crashes ${moment}`, count] as const),
    ['times the disk was full', figures.fullDisks],
    ['problems', figures.problems],
  ]
  const { firstSeed, seeds } = figures
  const head = seeds === 1 ? `seed ${firstSeed}` : `seeds ${firstSeed} to ${firstSeed + seeds - 1}`
  return [head, ...rows.map(([what, figure]) => `${what.padEnd(42)}${formatNumber(figure).padStart(9)}`)].join('\n')
}
