import { formatNumber, tableRow } from '../report/format-table-row.ts'

/** Figures of one set of replicas; CPU time per call, of the service and of PostgreSQL. */
export type ReplicaSetFigures = {
  name: string
  perSecond: number
  p50Ms: number
  p99Ms: number
  serviceMicroseconds: number
  databaseMicroseconds: number
  /** Flushes of PostgreSQL's log for a call; undefined in figures that were made before they were counted. */
  flushes?: number
  /** Rate as a multiple of the first set's, in the same rounds. */
  ratio: number
}
export type RoundTrips = { name: string; trips: number }[]
/** How fast replicas run jobs that are due; CPU time per job. */
export type DueJobFigures = {
  replicas: number
  perSecond: number
  serviceMicroseconds: number
  databaseMicroseconds: number
}
export type ReplicaFigures = {
  connections: number
  fleets: ReplicaSetFigures[]
  trips: RoundTrips
  /** Absent in figures that were made before they were measured. */
  dueJobs?: DueJobFigures[]
}

/** Formats the figures of replicas, and the round trips per call, as text tables. */
export const replicasTable = ({ connections, fleets, trips, dueJobs = [] }: ReplicaFigures): string =>
  [
    tableRow(`one signed initiate, ${connections} at once`, [
      ['calls/s', 10],
      ['rate ×', 9],
      ['p50 ms', 9],
      ['p99 ms', 9],
      ['CPU µs', 9],
      ['of PostgreSQL', 16],
      ['flushes', 9],
    ]),
    ...fleets.map(fleet =>
      tableRow(`  ${fleet.name}`, [
        [formatNumber(fleet.perSecond), 10],
        [formatNumber(fleet.ratio, 2), 9],
        [formatNumber(fleet.p50Ms, 1), 9],
        [formatNumber(fleet.p99Ms, 1), 9],
        [formatNumber(fleet.serviceMicroseconds), 9],
        [formatNumber(fleet.databaseMicroseconds), 16],
        [fleet.flushes === undefined ? '' : formatNumber(fleet.flushes, 2), 9],
      ]),
    ),
    '',
    'times that one call waits for PostgreSQL',
    ...trips.map(({ name, trips }) => tableRow(`  ${name}`, [[formatNumber(trips, 1), 10]])),
    ...dueJobLines(dueJobs),
    ...cores(fleets.find(({ name }) => name.startsWith('PostgreSQL'))), // the first of them has one replica
  ].join('\n')

const dueJobLines = (dueJobs: readonly DueJobFigures[]): string[] =>
  dueJobs.length === 0
    ? []
    : [
        '',
        tableRow('deadlines of payments that are due at once', [
          ['jobs/s', 10],
          ['CPU µs', 9],
          ['of PostgreSQL', 16],
        ]),
        ...dueJobs.map(({ replicas, perSecond, serviceMicroseconds, databaseMicroseconds }) =>
          tableRow(`  ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`, [
            [formatNumber(perSecond), 10],
            [formatNumber(serviceMicroseconds), 9],
            [formatNumber(databaseMicroseconds), 16],
          ]),
        ),
      ]

/** Peak loads, in calls per second, for which the table shows the cores needed. */
const LOADS = [100, 1_000, 4_000]

/** Cores that each load needs, for the service and for PostgreSQL on machines of their own. */
const cores = (alone: ReplicaSetFigures | undefined): string[] => {
  if (!alone) return []
  const { serviceMicroseconds, databaseMicroseconds } = alone
  const all = (load: number, microseconds: number) => formatNumber((load * microseconds) / 1_000_000, 1)
  return [
    '',
    tableRow('cores at the processor time of one replica', [
      ['service', 10],
      ['PostgreSQL', 14],
    ]),
    ...LOADS.map(load =>
      tableRow(`  ${formatNumber(load)} initiates a second`, [
        [all(load, serviceMicroseconds), 10],
        [all(load, databaseMicroseconds), 14],
      ]),
    ),
  ]
}
