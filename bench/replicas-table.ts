import { number, row } from './speed-table.ts'

/** One number of replicas; processor time of the service and of PostgreSQL is told apart, for each call. */
export type FleetFigures = {
  name: string
  perSecond: number
  p50Ms: number
  p99Ms: number
  serviceMicroseconds: number
  databaseMicroseconds: number
  /** How many times the rate of the first, in the same rounds. */
  ratio: number
}
export type Trips = { name: string; trips: number }[]
export type Replicas = { connections: number; fleets: FleetFigures[]; trips: Trips }

/** The figures for people. */
export const replicasTable = ({ connections, fleets, trips }: Replicas): string =>
  [
    row(`one signed initiate, ${connections} at once`, [
      ['calls/s', 10],
      ['rate ×', 9],
      ['p50 ms', 9],
      ['p99 ms', 9],
      ['CPU µs', 9],
      ['of PostgreSQL', 16],
    ]),
    ...fleets.map(fleet =>
      row(`  ${fleet.name}`, [
        [number(fleet.perSecond), 10],
        [number(fleet.ratio, 2), 9],
        [number(fleet.p50Ms, 1), 9],
        [number(fleet.p99Ms, 1), 9],
        [number(fleet.serviceMicroseconds), 9],
        [number(fleet.databaseMicroseconds), 16],
      ]),
    ),
    '',
    'times that one call waits for PostgreSQL',
    ...trips.map(({ name, trips }) => row(`  ${name}`, [[number(trips, 1), 10]])),
    ...cores(fleets.find(({ databaseMicroseconds }) => databaseMicroseconds > 0)),
  ].join('\n')

/** Calls a second of a busiest minute. */
const LOADS = [100, 1_000, 4_000]

/** What a load takes where every replica and PostgreSQL have machines of their own. */
const cores = (alone: FleetFigures | undefined): string[] => {
  if (!alone) return []
  const { serviceMicroseconds, databaseMicroseconds } = alone
  const all = (load: number, microseconds: number) => number((load * microseconds) / 1_000_000, 1)
  return [
    '',
    row('cores at the processor time of one replica', [
      ['service', 10],
      ['PostgreSQL', 14],
    ]),
    ...LOADS.map(load =>
      row(`  ${number(load)} initiates a second`, [
        [all(load, serviceMicroseconds), 10],
        [all(load, databaseMicroseconds), 14],
      ]),
    ),
  ]
}
